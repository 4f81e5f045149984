import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoSnapshots, syncDemoRegisters } from '../../../test/harness/import-demo.ts'
import { startService, type TestService } from '../../../test/harness/service.ts'
import { catalogue } from '../../catalogue.ts'
import { demoKey } from '../../core/api-key.ts'
import { templatePath } from '../../http/answer/demo-templates.ts'
import { verifySignals } from './index.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ now: () => new Date('2026-11-01T12:00:00Z'), world: 'demo' })
})
afterAll(() => service.close())

const read = async (path: string) => {
  const { status, body } = await service.ask(path, { key: demoKey })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}

type Change = { headline: string; change: { event_type: string; occurred_at: string } }
const story = (signals: Change[]) =>
  signals.map(({ headline, change }) => [
    change.event_type,
    headline.split(/ \(license|:/)[0]?.split(' ')[0],
    change.occurred_at.slice(0, 10),
  ])

describe.each(catalogue.filter(operation => operation.tag === 'Signals'))(
  'the feed $name with the demo key',
  ({ path, demo }) => {
    test.each(demo.filter(({ title }) => !title.includes('without a source')))(
      'the demo key gets Signals: $title',
      async template => {
        const data = await read(templatePath(path, template))
        const rows = data.signals ?? data.changes
        expect(rows.length).toBeGreaterThan(0)
        expect(data).toMatchObject({ demo: true, credits_charged: 0 })
        const free = (row: { cause?: string; is_correction?: boolean }) =>
          row.cause === 'coverage' || row.is_correction === true
        const isNews = (row: { correction_of?: string | null }) => (row.correction_of ?? null) === null
        const priced = data.signals?.filter(isNews) ?? data.changes.filter((row: object) => !free(row))
        expect(data.billing.credits_charged).toBe(priced.length)
        if (data.signals === undefined) return
        expect(data.simulated).toBe(true)
        expect(data.sources[0].source_stream_key).not.toBeNull()
      },
    )

    test.each(demo.filter(({ title }) => title.includes('without a source')))(
      'the demo key gets the reason for an empty page: $title',
      async template => {
        const data = await read(templatePath(path, template))
        expect(data).toMatchObject({ signals: [], sources: [{ truth_state: 'not_covered' }] })
      },
    )
  },
)

test('the British demo register adds, changes, removes, returns and revokes licenses', async () => {
  const customer = await service.customer()
  await syncDemoRegisters(service.service.live)
  const { body } = await customer.ask('/v1/signals/register-changes?jurisdiction=ukgc')
  expect(story(body.data.signals)).toEqual([
    ['authorized_domains_changed', 'Sandpiper', '2026-09-30'],
    ['added_to_register', 'Curlew', '2026-09-14'],
    ['added_to_register', 'Dunlin', '2026-09-21'],
    ['removed_from_register', 'Avocet', '2026-09-30'],
    ['license_type_changed', 'Turnstone', '2026-09-30'],
    ['revoked', 'Wagtail', '2026-10-31'],
    ['returned_to_register', 'Avocet', '2026-10-31'],
    ['added_to_register', 'Knot', '2026-10-19'],
    ['legal_entity_changed', 'Turnstone', '2026-10-31'],
    ['published_status_changed', 'Redshank', '2026-10-31'],
  ])
  const entries = await customer.ask('/v1/signals/market-entries?role=operator&market=ukgc')
  // Dunlin supplies software, and Avocet returns, so neither enters a market.
  expect(entries.body.data.signals.map((entry: Change) => entry.headline.split(' ')[0])).toEqual([
    'Curlew',
    'Knot',
  ])
  expect(await verifySignals(service.service.live.database)).toEqual([])
})

test('the Italian demo blocklist blocks, unblocks, takes a draft back and blocks again', async () => {
  const { signals } = await read('/v1/signals/register-changes?jurisdiction=italy&page_size=7')
  expect(story(signals)).toEqual([
    ['removed_from_register', 'furbolotto.example', '2026-09-30'],
    ['added_to_register', 'phantom-roulette-2.example', '2026-09-30'],
    ['added_to_register', 'sandpiperslots.example', '2026-10-07'],
    ['removed_from_register', 'Taken', '2026-10-07'],
    ['returned_to_register', 'furbolotto.example', '2026-10-31'],
    ['added_to_register', 'phantom-roulette-3.example', '2026-10-31'],
    ['removed_from_register', 'slotvolpe.example', '2026-10-31'],
  ])
})

test('every site in the demo registers is on a reserved domain', async () => {
  const snapshots = await demoSnapshots()
  expect(snapshots.map(({ takenAt }) => takenAt.getTime())).toEqual(
    snapshots.map(({ takenAt }) => takenAt.getTime()).toSorted((a, b) => a - b),
  )
  for (const file of snapshots.flatMap(({ files }) => files)) {
    const text = await readFile(file, 'utf8')
    expect(text).not.toContain('neverheard')
    for (const [host] of text.matchAll(/(?:[\w-]+\.)+[a-z]{2,}\b/g))
      expect(host, file).toMatch(/\.(example|test)$/)
  }
})
