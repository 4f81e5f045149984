import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import type { RegisterChangeDraft } from './draft.ts'
import { addStream, blocklistChange, inTransaction, registerChange } from './fixture.ts'
import { numberSignals, verifySignals } from './index.ts'

let service: TestService
let customer: Customer
beforeAll(async () => {
  service = await startService()
  await addStream(service.service.live, 'ukgc.licences', { market: 'ukgc' })
  await addStream(service.service.live, 'ukgc.sites', { market: 'ukgc' })
  customer = await service.customer({ credits: 1_000_000 })
})
afterAll(() => service.close())

type Write = { signals: { stream: string; eventType: RegisterChangeDraft['eventType'] }[]; commits: boolean }

const write: fc.Arbitrary<Write> = fc.record({
  signals: fc.array(
    fc.record({
      stream: fc.constantFrom('ukgc.licences', 'ukgc.sites', 'poland.blocklist'),
      eventType: fc.constantFrom('added_to_register', 'revoked', 'removed_from_register'),
    }),
    { maxLength: 9 },
  ),
  commits: fc.oneof(
    { weight: 4, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
})
const writers = fc.array(fc.array(write, { minLength: 1, maxLength: 8 }), { minLength: 2, maxLength: 4 })

class RollBack extends Error {}

async function commit({ signals, commits }: Write, locksFacts: boolean): Promise<void> {
  const drafts = signals.map(({ stream, eventType }) =>
    stream === 'poland.blocklist' ? blocklistChange('red.example') : registerChange({ stream, eventType }),
  )
  const { live } = service.service
  const work = async (tx: Parameters<typeof numberSignals>[0]) => {
    await numberSignals(tx, drafts)
    if (!commits) throw new RollBack()
  }
  const done = locksFacts ? inTransaction(live, work) : live.database.transaction().execute(work)
  await done.catch(error => {
    if (!(error instanceof RollBack)) throw error
  })
}

/** Follows a feed from a cursor until the writers have ended and a page is empty. */
async function poll(query: string, pageSize: number, from: string | null, ended: () => boolean) {
  const refs: string[] = []
  let after = from
  for (;;) {
    const hadEnded = ended()
    const position = after === null ? '' : `&after=${after}`
    const { status, body } = await customer.ask(
      `/v1/signals/register-changes?${query}&page_size=${pageSize}${position}`,
    )
    expect(status, JSON.stringify(body)).toBe(200)
    refs.push(...body.data.signals.map((signal: { signal_ref: string }) => signal.signal_ref))
    after = body.data.next_cursor
    if (hadEnded && body.data.signals.length === 0) return { refs, cursor: after }
  }
}

test('a poller receives every committed Signal once and in order, despite concurrent writes', async () => {
  const feeds = [
    { query: 'jurisdiction=ukgc', condition: sql`market = 'ukgc'` },
    {
      query: 'jurisdiction=ukgc&event_type[]=revoked&event_type[]=removed_from_register',
      condition: sql`market = 'ukgc' and event_type in ('revoked', 'removed_from_register')`,
    },
    {
      query: 'jurisdiction=ukgc&source_stream_key=ukgc.sites&occurred_from=2026-01-01',
      condition: sql`stream = 'ukgc.sites'`,
    },
  ]
  const cursors: (string | null)[] = feeds.map(() => null)
  const seen: string[][] = feeds.map(() => [])
  await fc.assert(
    fc.asyncProperty(
      writers,
      fc.integer({ min: 1, max: 20 }),
      fc.boolean(),
      async (all, size, locksFacts) => {
        let hasEnded = false
        const writing = Promise.all(
          all.map(async writes => {
            for (const each of writes) await commit(each, locksFacts)
          }),
        ).finally(() => {
          hasEnded = true
        })
        const polled = await Promise.all(
          feeds.map(({ query }, index) => poll(query, size, cursors[index] ?? null, () => hasEnded)),
        )
        await writing
        for (const [index, { refs, cursor }] of polled.entries()) {
          seen[index]?.push(...refs)
          cursors[index] = cursor
          const { rows } = await sql<{ signal_ref: string }>`
          select signal_ref from signals where ${feeds[index]?.condition} order by number`.execute(
            service.service.live.database,
          )
          expect(seen[index]).toEqual(rows.map(row => row.signal_ref))
        }
      },
    ),
    // A failed run is not shrunk, because its Signals stay in the database.
    { numRuns: 12, endOnFailure: true },
  )
  expect(await verifySignals(service.service.live.database)).toEqual([])
})
