import { setTimeout as pause } from 'node:timers/promises'
import type { Network } from './network.ts'
import { signalAll } from './processes.ts'
import type { Cluster } from './start-cluster.ts'

/** Kills the primary with its Patroni, and starts it again once another server leads. */
export async function kill(cluster: Cluster): Promise<void> {
  const leader = await cluster.leader()
  signalAll(await leader.processes(), 'SIGKILL')
  await cluster.untilLedByAnother(leader)
  await leader.start()
  await cluster.untilWhole()
}

/** Freezes the primary with its Patroni. When it wakes, it still believes that it leads. */
export async function freeze(cluster: Cluster, ms: number): Promise<void> {
  const leader = await cluster.leader()
  const processes = await leader.processes()
  signalAll(processes, 'SIGSTOP')
  await pause(ms)
  signalAll(processes, 'SIGCONT')
  await cluster.untilLedByAnother(leader)
  await cluster.untilWhole()
}

/** Kills the synchronous standby with its Patroni, and starts it again. */
export async function killStandby(cluster: Cluster, ms: number): Promise<void> {
  const standby = await cluster.synchronousStandby()
  signalAll(await standby.processes(), 'SIGKILL')
  await pause(ms)
  await standby.start()
  await cluster.untilWhole()
}

/**
 * Cuts the primary off from all others, or from all but the service. It runs on, and believes for some
 * seconds that it leads.
 */
export async function partition(
  cluster: Cluster,
  network: Network,
  { ms, how }: { ms: number; how: 'cut' | 'isolate' },
): Promise<void> {
  const leader = await cluster.leader()
  await network[how](leader.name)
  await pause(ms)
  await cluster.untilLedByAnother(leader)
  await network.join(leader.name)
  await cluster.untilWhole()
}

export async function switchOver(cluster: Cluster): Promise<void> {
  const leader = await cluster.leader()
  await leader.ask('POST', '/switchover', { leader: leader.name })
  await cluster.untilLedByAnother(leader)
  await cluster.untilWhole()
}
