import type { Reading, Stream } from '@baize/registers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authorisation, day, entry, fakeStream, fileOf, syncApproved } from '../src/registers/fixture.ts'
import { verifyAll } from '../src/verify/index.ts'
import { loadLines } from './harness/load-lines.ts'
import { type Customer, startService, type TestService } from './harness/service.ts'

let service: TestService
let customer: Customer

beforeAll(async () => {
  service = await startService()
  customer = await service.customer({ credits: 100_000 })
})
afterAll(() => service.close())

const names = Array.from({ length: 40 }, (_, number) => `site-${number}.example`)
const rounds = 6

function inRound(round: number, shift: number): string[] {
  return names.filter((_, number) => ((number * 7 + round * 5 + shift) >> 2) % 2 === 0)
}

async function write(stream: Stream, shift: number, row: (name: string) => Reading): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    const rows = [row('always.example'), ...inRound(round, shift).map(row), row('to-the-end.example')]
    const report = await syncApproved(service.service.live, stream, [fileOf(...rows)], {
      takenAt: day(round),
      now: day(round),
    })
    expect(report.status).toBe('applied')
  }
}

async function importRounds(): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    const listed = round % 2 === 1
    const lines = inRound(round, 3).map(domain => ({
      kind: 'blocklist_entry',
      regulator: 'belgium',
      domain,
      listed,
    }))
    await loadLines(service.service.live, lines)
  }
}

async function follow(
  market: string,
  writersEnded: () => boolean,
): Promise<{ refs: string[]; total: number }> {
  const refs: string[] = []
  let after = ''
  for (;;) {
    const wasOver = writersEnded()
    const { status, body } = await customer.ask(
      `/v1/signals/register-changes?jurisdiction=${market}&page_size=7` +
        (after === '' ? '' : `&after=${after}`),
    )
    // Clients retry 503, which a busy machine answers.
    if (status === 503) continue
    expect(status).toBe(200)
    for (const signal of body.data.signals) refs.push(signal.signal_ref)
    if (body.data.next_cursor !== null) after = encodeURIComponent(body.data.next_cursor)
    if (wasOver && body.data.signals.length === 0) return { refs, total: body.data.total }
  }
}

test('every poller sees each Signal once during syncs and imports on the same domains', async () => {
  let ended = false
  const writing = Promise.all([
    write(fakeStream('poland.blocklist', { regulator: 'the Ministry' }), 0, name => entry(name)),
    write(fakeStream('estonia.blocklist', { regulator: 'the Board' }), 1, name => entry(name)),
    write(fakeStream('sweden.sites', { regulator: 'the Inspection' }), 2, name => authorisation(name)),
    importRounds(),
  ]).finally(() => {
    ended = true
  })
  const pollers = ['poland', 'estonia', 'sweden', 'poland', 'sweden'].map(market =>
    follow(market, () => ended),
  )
  const [seen] = await Promise.all([Promise.all(pollers), writing])
  for (const { refs, total } of seen) {
    expect(new Set(refs).size).toBe(refs.length)
    expect(refs.length).toBe(total)
    expect(total).toBeGreaterThan(50)
  }
  expect(seen[3]).toEqual(seen[0])
  expect(seen[4]).toEqual(seen[2])
  const { checks } = await verifyAll(service.service.live, service.database.connection)
  expect(checks.filter(check => check.differences.length > 0)).toEqual([])
})
