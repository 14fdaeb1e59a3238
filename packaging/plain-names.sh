#!/usr/bin/env bash
# usage: plain-names.sh install|uninstall|take FLAVOUR LIBDIR DESTDIR NAME=TARGET...
# Plain names, such as libompfact.so, are links to the files of one flavour. install makes them if no other installed flavour has them, take
# always makes them, uninstall removes those of this flavour. LIBDIR includes DESTDIR; a NAME does not.
set -euo pipefail
action=$1 flavour=$2 libdir=$3 destdir=$4
shift 4

# The flavour of the plain names is that of the link libompfact.a, because every flavour has this file.
holder=$(readlink "$libdir/libompfact.a" || :)
holder=${holder#ompfact/}
holder=${holder%/libompfact.a}
if [ "$action" != take ] && [ -n "$holder" ] && [ "$holder" != "$flavour" ] && [ -e "$libdir/ompfact/$holder/libompfact.a" ]; then
    [ "$action" = uninstall ] || echo "ompfact: the plain names stay links to $holder; make plain-names makes them links to $flavour"
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
