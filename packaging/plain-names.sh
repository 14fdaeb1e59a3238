#!/usr/bin/env bash
# usage: plain-names.sh install|uninstall|take FLAVOUR LIBDIR DESTDIR NAME=TARGET...
# Plain names, as libompfact.so, which lead to those of one flavour: install makes them where no other flavour that is there has them,
# take makes them, uninstall removes those that are this flavour's. LIBDIR has DESTDIR before it, each NAME has not.
set -euo pipefail
action=$1 flavour=$2 libdir=$3 destdir=$4
shift 4

# Whose they are: libompfact.a, which every flavour has, says it.
holder=$(readlink "$libdir/libompfact.a" || :)
holder=${holder#ompfact/}
holder=${holder%/libompfact.a}
if [ "$action" != take ] && [ -n "$holder" ] && [ "$holder" != "$flavour" ] && [ -e "$libdir/ompfact/$holder/libompfact.a" ]; then
    [ "$action" = uninstall ] || echo "ompfact: plain names stay those for $holder; make plain-names makes them those for $flavour"
    exit 0
fi
for pair; do
    name=$destdir${pair%%=*}
    if [ "$action" = uninstall ]; then
        [ ! -L "$name" ] || rm "$name"
    else
        mkdir -p "${name%/*}"
        ln -sf "${pair#*=}" "$name"
    fi
done
