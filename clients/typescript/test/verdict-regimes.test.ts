import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileOfBytes } from '@baize/tables'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shipRegimes } from '../../../src/features/regimes/index.ts'
import { syncApproved } from '../../../src/registers/fixture.ts'
import { findStream, type Stream } from '../../../src/registers/index.ts'
import { createTestDirectory, type TestDirectory } from '../../../test/harness/directory.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { runHere } from './run-command.ts'

const start = new Date('2026-11-01T12:00:00Z')
const brazil = 'brazil: prohibited since 2026-09-25'

let service: TestService
let directory: TestDirectory
let customer: Customer
beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers', now: () => start })
  directory = await createTestDirectory()
  customer = await service.customer()
  const { live } = service.service
  await shipRegimes(live, start)
  const brands = ['lontra', 'carpa', 'pato', 'galo', 'tatu', 'jacu'].map((brand, number) => ({
    requirement_number_year: `000${number + 1}/2024`,
    fiscal_name: `Company ${number}`,
    document: `${number}0000000/0001-01`,
    brand,
    domain: `${brand}.bet.br`,
  }))
  const mirror = fileOfBytes('mirror.json', JSON.stringify(brands))
  await syncApproved(live, findStream('brazil.brands') as Stream, [mirror], { takenAt: start, now: start })
})
afterAll(async () => {
  await directory.remove()
  await service.close()
})

const run = (...args: string[]) =>
  runHere(args, { key: customer.key, baseUrl: service.url, cwd: directory.path })

test('verdicts writes the regime of a market that prohibits gambling, and no other', async () => {
  await writeFile(
    join(directory.path, 'sites.txt'),
    'lontra.bet.br\nluckyotter.example\nneverheard.example\n',
  )
  const { code, stderr } = await run('verdicts', 'sites.txt', '--yes', '--out', 'sites.csv')
  expect([code, stderr]).toEqual([0, expect.stringContaining('3 credits charged.')])
  const text = await readFile(join(directory.path, 'sites.csv'), 'utf8')
  const rows = parse(text, { columns: true }) as Record<string, string>[]
  expect(rows.map(({ domain, verdict, regime }) => [domain, verdict, regime])).toEqual([
    ['lontra.bet.br', 'licensed', brazil],
    ['luckyotter.example', 'licensed', ''],
    ['neverheard.example', 'no_record', ''],
  ])
})

test('verdict prints a column of regimes only if a market of its sites has one', async () => {
  const [prohibited, allowed, json] = await Promise.all([
    run('verdict', 'lontra.bet.br'),
    run('verdict', 'luckyotter.example'),
    run('verdict', 'lontra.bet.br', '--json'),
  ])
  expect(prohibited.stdout).toMatch(new RegExp(`REGIME .*\n.*${brazil}`))
  expect(allowed.stdout).not.toContain('REGIME')
  const [row] = JSON.parse(json.stdout)
  expect(row.licensed_by[0].regime).toMatchObject({ state: 'prohibited', from: '2026-09-25' })
})
