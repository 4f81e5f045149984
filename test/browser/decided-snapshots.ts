import { fileOfBytes } from '@baize/tables'
import { sql } from 'kysely'
import { finishDecision } from '../../src/features/staff/index.ts'
import { carryOutDecisions } from '../../src/instance/tasks/snapshot-decision-tasks.ts'
import {
  approveSnapshot,
  findKnownStream,
  findStream,
  type Stream,
  syncRegister,
} from '../../src/registers/index.ts'
import type { TestService } from '../harness/service.ts'

const dayMs = 86_400_000

/** Provides a blocklist on consecutive days. Staff decide about its quarantined snapshots. */
export function blocklist({ service }: TestService) {
  const { live: world, log, now } = service
  const stream = { ...(findStream('estonia.blocklist') as Stream), rowsMin: 1 }
  let day = 0

  const openDecisions = async () => {
    const { rows } = await sql<{ id: number }>`
      select id from snapshot_decisions where finished_at is null order by id`.execute(world.database)
    return rows
  }

  return {
    /**
     * Syncs a list of this many hosts. With `isApproved` it is applied even if the guard quarantines it.
     */
    async read(hosts: number, { isApproved = false } = {}): Promise<void> {
      day += 1
      const names = Array.from({ length: hosts }, (_, index) => `n${index + day}-${day % 2}.example`)
      const at = new Date(now().getTime() - (40 - day) * dayMs)
      const file = fileOfBytes('list.txt', names.join('\n'))
      const { status, snapshot_ref: snapshotRef } = await syncRegister(world, stream, [file], {
        takenAt: at,
        now: at,
      })
      if (isApproved && status !== 'applied' && snapshotRef !== null)
        await approveSnapshot(world, {
          snapshotRef,
          reason: 'Right',
          now: now(),
          findStream: findKnownStream,
        })
    },
    /** Carries out open decisions as a worker does. */
    async carryOut(): Promise<void> {
      const task = carryOutDecisions({ now })
      const { signal } = new AbortController()
      for (const { id } of await openDecisions())
        await task?.run({ decision: id }, { world, log, signal } as never)
    },
    /** Fails open decisions as a worker does that cannot apply them. */
    async fail(failure: string): Promise<void> {
      for (const { id } of await openDecisions())
        await finishDecision(world.database, { id, failure, now: now() })
    },
  }
}
