/** One file lists a site twice here, and the order of its rows must not matter. */
import { findStream, type Stream } from '@baize/registers'
import { described, jsonDescription } from '@baize/registers/test/described'
import { fileOfBytes } from '@baize/tables'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { day, openTestWorld, type TestWorld } from '../fixture.ts'
import { syncRegister } from './sync-register.ts'

let testWorld: TestWorld
beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterAll(() => testWorld.close())

/** Syncs the lines, and then the same lines in reverse. */
async function* syncs(stream: Stream, lines: readonly string[], [head, foot]: readonly [string, string]) {
  for (const [index, order] of [lines, lines.toReversed()].entries()) {
    const file = fileOfBytes('list', head + order.join('\n') + foot)
    const at = { takenAt: day(index + 1), now: day(index + 1) }
    yield { index, report: await syncRegister(testWorld.world, stream, [file], at) }
  }
}

const stated = (key: string, parts: object) =>
  described(JSON.stringify({ ...jsonDescription, key, market: key.split('.')[0], ...parts }))

test('a site is licensed if one of its rows licenses it, in any order', async () => {
  const holders = stated('jersey.holders', {
    columns: {
      name: { headers: ['Name'] },
      number: { headers: ['Number'] },
      state: { headers: ['State'] },
      site: { headers: ['Site'] },
    },
    source_claim: 'license',
    records: {
      licensee: { key: ['name'], legal_name: { column: 'name' } },
      license: { key: ['number'], license_number: { column: 'number' }, status: { column: 'state' } },
      authorised_domains: { domain: { column: 'site' }, status: { column: 'state' } },
    },
  })
  const rows = ['Otter Ltd\t7\tActive\totter.example', 'Otter Ltd\t7\tSurrendered\totter.example']
  for await (const { report } of syncs(holders, rows, ['Name\tNumber\tState\tSite\n', ''])) {
    expect(report.reasons ?? []).toEqual([])
    expect(await testWorld.verdictOf('otter.example')).toMatch(/^licensed/)
  }
})

test('a site is blocked since the earliest date of its rows, in any order', async () => {
  const blocked = stated('estonia.sites', {
    covers: ['blocklist'],
    publishes: { ...jsonDescription.publishes, dates: true },
    source_claim: 'blocklist',
    source_identity: 'Blocked sites',
    columns: { site: { headers: ['Site'] }, decided: { headers: ['Decided'] } },
    records: {
      blocklist_entries: {
        domain: { column: 'site' },
        listed_at: { column: 'decided', date_forms: ['prose'] },
      },
    },
  })
  const rows = ['c.example\t', 'c.example\ton 3.4.2025', 'c.example\ton 3.4.2024']
  for await (const { index, report } of syncs(blocked, rows, ['Site\tDecided\n', '']))
    expect(report).toMatchObject({ added: index === 0 ? 1 : 0, removed: 0, changed: 0 })
  const entries = await testWorld.rowsOf('blocklist_entries')
  expect(entries.map(row => row.listed_at)).toEqual([new Date('2024-04-03T00:00:00Z')])
})

test('a Polish entry printed with and without a deletion blocks, in any order', async () => {
  const position = (deletion: string) =>
    '<PozycjaRejestru><AdresDomeny>a.example</AdresDomeny>' +
    `<DataWpisu>2026-01-02T10:00:00</DataWpisu>${deletion}</PozycjaRejestru>`
  const positions = [
    position('<DataWykreslenia>2026-01-03T10:00:00</DataWykreslenia>'),
    position(''),
    position('<DataWykreslenia>2026-01-04T10:00:00</DataWykreslenia>'),
  ]
  const poland = findStream('poland.blocklist') as Stream
  for await (const { index, report } of syncs(poland, positions, ['<Rejestr>', '</Rejestr>'])) {
    expect(report).toMatchObject({ added: index === 0 ? 1 : 0, removed: 0, changed: 0, reasons: [] })
    expect(await testWorld.verdictOf('a.example')).toContain('blocklisted')
  }
})
