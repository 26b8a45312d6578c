package patroni

// watchdogScript ends the servers when we are gone: Patroni and etcd die with us, but servers are children of nobody.
const watchdogScript = `
read -r never
home=$1; shift
for data; do
	server=$(head -n 1 "$data/postmaster.pid" 2>/dev/null) || continue
	[ "$(readlink "/proc/$server/cwd")" = "$data" ] || continue
	children=$(cat "/proc/$server/task/$server/children")
	kill -QUIT "$server"
	kill -CONT "$server" $children
	ended=$server
done
[ -z "$ended" ] || sleep 1
rm -rf -- "$home"
`
