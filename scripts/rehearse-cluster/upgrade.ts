import type { Payers } from './payers.ts'
import type { Cluster } from './start-cluster.ts'
import type { Service } from './start-service.ts'

/** Restarts one API process after the other behind HAProxy, as an upgrade does, without workers meanwhile. */
export async function upgradeService(service: Service, payers: Payers): Promise<void> {
  await service.stopWorkers()
  service.upgrade()
  for (const index of service.urls.keys()) {
    await service.restartApi(index)
    // HAProxy notices that the process is ready within a second.
    await payers.untilNoted(payers.noted.size + 500)
  }
  service.startWorkers()
}

/** Restarts both standbys, switches over, and restarts the old primary. */
export async function upgradeServers(cluster: Cluster): Promise<void> {
  const old = await cluster.leader()
  for (const server of cluster.servers) {
    if (server === old) continue
    await server.ask('POST', '/restart', {})
    await cluster.untilWhole()
  }
  await old.ask('POST', '/switchover', { leader: old.name })
  await cluster.untilLedByAnother(old)
  await cluster.untilWhole()
  await old.ask('POST', '/restart', {})
  await cluster.untilWhole()
}
