import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { serverUser } from './processes.ts'

const run = promisify(execFile)
const ip = (...args: string[]) => run('ip', args)
const kernelSettings = resolve(import.meta.dirname, '../../cluster/sysctl.conf')

/** A program that `run` starts, with its arguments. */
type Command = [program: string, args: string[]]

/** A network on this machine, in which each server has a namespace and an address of its own. */
export type Network = {
  /** The address of etcd, which runs outside of the namespaces, as the service does. */
  etcdHost: string
  addressOf(name: string): string
  /** Starts the command in the namespace of the server, as the user of the servers. */
  inside(name: string, command: Command): Promise<Command>
  /** Cuts the server off from the others, from etcd and from the service. */
  cut(name: string): Promise<void>
  /** Cuts the server off from the others and from etcd, but not from the service. */
  isolate(name: string): Promise<void>
  join(name: string): Promise<void>
  close(): Promise<void>
}

/** Opens a network, or returns null where namespaces cannot be made (not root, not Linux, a container). */
export async function openNetwork(names: readonly string[]): Promise<Network | null> {
  const bridge = `baize${process.pid}`
  const spaceOf = (name: string) => `${bridge}-${name}`
  /** Names of interfaces have at most 15 characters. */
  const linkOf = (name: string) => `bz${process.pid}${names.indexOf(name)}`
  const prefix = `10.213.${process.pid % 250}`
  const [host, etcdHost] = [`${prefix}.1`, `${prefix}.2`]
  const addressOf = (name: string) => `${prefix}.${11 + names.indexOf(name)}`
  /** What an isolated server cannot reach. */
  const notReachedBy = (name: string) => [
    etcdHost,
    ...names.filter(other => other !== name).map(other => addressOf(other)),
  ]
  async function close(): Promise<void> {
    for (const name of names) await ip('netns', 'del', spaceOf(name)).catch(() => {})
    await ip('link', 'del', bridge).catch(() => {})
  }
  try {
    await ip('link', 'add', bridge, 'type', 'bridge')
    for (const address of [host, etcdHost]) await ip('addr', 'add', `${address}/24`, 'dev', bridge)
    await ip('link', 'set', bridge, 'up')
    for (const name of names) {
      const space = spaceOf(name)
      await ip('netns', 'add', space)
      await ip('link', 'add', linkOf(name), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
      await ip('link', 'set', linkOf(name), 'master', bridge, 'up')
      await ip('-n', space, 'addr', 'add', `${addressOf(name)}/24`, 'dev', 'eth0')
      await ip('-n', space, 'link', 'set', 'eth0', 'up')
      await ip('-n', space, 'link', 'set', 'lo', 'up')
      await ip('netns', 'exec', space, 'sysctl', '--quiet', '--load', kernelSettings)
    }
  } catch {
    await close()
    return null
  }
  return {
    etcdHost,
    addressOf,
    inside: async (name, [program, args]) => {
      const { ids } = await serverUser()
      const user =
        ids === null ? [] : ['--reuid', String(ids.uid), '--regid', String(ids.gid), '--clear-groups']
      return ['ip', ['netns', 'exec', spaceOf(name), 'setpriv', ...user, '--', program, ...args]]
    },
    cut: async name => void (await ip('link', 'set', linkOf(name), 'down')),
    isolate: async name => {
      for (const address of notReachedBy(name))
        await ip('-n', spaceOf(name), 'route', 'add', 'blackhole', `${address}/32`)
    },
    join: async name => {
      await ip('link', 'set', linkOf(name), 'up')
      for (const address of notReachedBy(name))
        await ip('-n', spaceOf(name), 'route', 'del', 'blackhole', `${address}/32`).catch(() => {})
    },
    close,
  }
}
