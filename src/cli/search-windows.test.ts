import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommandHere } from '../../test/harness/command.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { type Customer, startService, type TestService } from '../../test/harness/service.ts'

let service: TestService
let customer: Customer
let directory: TestDirectory
beforeAll(async () => {
  service = await startService()
  customer = await service.customer({ credits: 1_000_000 })
  directory = await createTestDirectory()
})
afterAll(async () => {
  await service.close()
  await directory.remove()
})

const run = (...args: string[]) =>
  runCommandHere(args, { DATA_DIR: directory.path, DATABASE_URL: service.database.url })

const noon = (day: number) => new Date(Date.UTC(2026, 0, day, 12)).toISOString()

async function sync(stream: string, day: number, content: string | Buffer) {
  const file = join(directory.path, 'list')
  await writeFile(file, content)
  const { stdout } = await run(
    ...['register', 'sync', stream, '--file', file, '--taken-at', noon(day), '--json'],
  )
  return JSON.parse(stdout)
}

const listOf = (stream: string, hosts: string[]) =>
  [
    ...hosts,
    ...Array.from({ length: 150 }, (_, index) => `bystander-${stream.replace('.', '-')}-${index}.example`),
    '',
  ].join('\n')

/** Syncs a small list, and approves it if the guard finds it too far from the real ones. */
async function listed(stream: string, day: number, ...hosts: string[]) {
  const { status, snapshot_ref } = await sync(stream, day, listOf(stream, hosts))
  if (status === 'held')
    expect((await run('register', 'approve', snapshot_ref, '--why', 'a test')).code).toBe(0)
  else expect(status).toBe('applied')
}

type Window = { geo?: string; since?: number; until?: number; dropped_before?: number; verdict?: string }

/**
 * Returns the sites that a search with this window sells. Times are the midnights before these days of
 * January.
 */
async function sold({ geo, verdict = 'blocklisted', ...days }: Window): Promise<string[]> {
  const query = new URLSearchParams({ verdict, per_page: '1000', ...(geo === undefined ? {} : { geo }) })
  for (const [name, day] of Object.entries(days))
    query.set(name, new Date(Date.UTC(2026, 0, day)).toISOString())
  const { status, body } = await customer.ask(`/v1/domains/search?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  const domains: string[] = body.data.domains.map((row: { domain: string }) => row.domain)
  expect([body.data.total, body.data.credits_charged]).toEqual([domains.length, domains.length])
  return domains.filter(domain => !domain.startsWith('bystander')).sort()
}

describe('the windows of a site with several spellings on a list', () => {
  const geo = 'estonia'
  const stream = 'estonia.blocklist'
  beforeAll(async () => {
    await listed(stream, 2, 'grebe.example', 'www.heron.example')
    await listed(stream, 4, 'grebe.example', 'www.grebe.example', 'www.heron.example', 'ibis.example')
    await listed(stream, 6, 'www.grebe.example', 'heron.example', 'ibis.example', 'www.ibis.example')
    await listed(stream, 8, 'heron.example')
    await listed(stream, 10, 'www.heron.example', 'www.ibis.example')
  })

  test('a site is newly listed when its first spelling is listed, and not with later spellings', async () => {
    expect(await sold({ geo, since: 1, until: 3 })).toEqual(['heron.example'])
    expect(await sold({ geo, since: 3 })).toEqual(['ibis.example'])
    expect(await sold({ geo, since: 5, until: 9 })).toEqual([])
  })

  test('a site counts as dropped from the day on which its last spelling is removed', async () => {
    expect(await sold({ geo, dropped_before: 6 })).toEqual([])
    expect(await sold({ geo, dropped_before: 7 })).toEqual(['grebe.example'])
    expect(await sold({ geo, dropped_before: 31 })).toEqual(['grebe.example'])
  })

  test('a site that is listed again is newly listed, and no longer counts as dropped', async () => {
    expect(await sold({ geo, since: 9 })).toEqual(['ibis.example'])
    expect(await sold({ geo, dropped_before: 31 })).not.toContain('ibis.example')
  })

  test('since, until and dropped_before together find ended listings that began in between', async () => {
    expect(await sold({ geo, since: 1, until: 3, dropped_before: 7 })).toEqual(['grebe.example'])
    expect(await sold({ geo, since: 3, dropped_before: 31 })).toEqual([])
    expect(await sold({ geo, until: 2, dropped_before: 31 })).toEqual([])
  })

  test('a search without geo ignores a change of a site that another regulator still lists', async () => {
    await listed('greece.blocklist', 12, 'www.grebe.example', 'heron.example', 'jay.example')
    expect(await sold({ geo: 'greece', since: 11 })).toEqual([
      'grebe.example',
      'heron.example',
      'jay.example',
    ])
    expect(await sold({ since: 11 })).toEqual(['grebe.example', 'jay.example'])
    expect(await sold({ geo, dropped_before: 31 })).toEqual(['grebe.example'])
    expect(await sold({ dropped_before: 31 })).toEqual([])
  })

  test('a site that was delisted and is licensed today is found by dropped_before alone', async () => {
    await listed('spain.sites', 13, 'grebe.example', 'heron.example')
    expect(await sold({ verdict: 'licensed', since: 1 })).toEqual([])
    expect(await sold({ verdict: 'mixed', since: 11 })).toEqual(['grebe.example'])
    expect(await sold({ geo: 'estonia', verdict: 'mixed', since: 1 })).toEqual(['heron.example'])
    await listed('greece.blocklist', 14, 'heron.example', 'jay.example')
    expect(await sold({ verdict: 'licensed', dropped_before: 31 })).toEqual(['grebe.example'])
    expect(await sold({ geo: 'greece', dropped_before: 31 })).toEqual(['grebe.example'])
  })
})

type Change = { change: { event_type: string } }

describe('the Czech list', () => {
  const geo = 'czechia'
  const header =
    'Objekt blokace;Adresa internetové stránky;Název aplikace;Identifikátor aplikace;' +
    'Jedinečný identifikátor platebního účtu;Důvody zápisu na Seznam;' +
    'Datum zápisu a zveřejnění na Seznamu;Datum výmazu a zveřejnění na Seznamu'
  const row = (site: string, deleted = '') => `internetová stránka;${site};;;;;1.12.2025;${deleted}`
  const letters = new TextDecoder('windows-1250').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))
  const fileOf = (...rows: string[]) =>
    Buffer.from([...[header, ...rows, ''].join('\r\n')].map(letter => letters.indexOf(letter)))
  const others = Array.from({ length: 400 }, (_, index) => row(`bystander-cz-${index}.example`))

  test('a row missing from the Czech list drops its site, as a date of deletion does', async () => {
    await sync(
      'czechia.blocklist',
      2,
      fileOf(row('kite.example'), row('www.lark.example'), row('martin.example'), ...others),
    )
    const report = await sync(
      'czechia.blocklist',
      5,
      fileOf(row('martin.example', '4.1.2026'), ...others.slice(1), others[0] as string),
    )
    expect(report).toMatchObject({ status: 'applied', added: 0, removed: 3, signals: 3 })
    expect(await sold({ geo, dropped_before: 31 })).toEqual([
      'kite.example',
      'lark.example',
      'martin.example',
    ])
    expect(await sold({ geo, dropped_before: 3 })).toEqual(['kite.example', 'lark.example'])
    expect(await sold({ geo })).toEqual([])
    const { body } = await customer.ask(`/v1/signals/register-changes?jurisdiction=${geo}`)
    const types = body.data.signals.map((signal: Change) => signal.change.event_type)
    expect(types).toEqual(Array(3).fill('removed_from_register'))
  })

  test('a Czech list whose end is missing is quarantined, and no site is dropped', async () => {
    const cut = fileOf(row('martin.example', '4.1.2026'), ...others.slice(1, 300))
    expect(await sync('czechia.blocklist', 7, cut)).toMatchObject({ status: 'held', removed: 101 })
    expect((await sold({ geo, dropped_before: 31 })).length).toBe(3)
  })
})

describe('the windows of a site that a list misprints and later corrects', () => {
  const geo = 'australia'
  const stream = 'australia.blocklist'
  const right = ['plover.example', 'www.sandpiper.example', 'grün.example', 'stint7.example']
  const wrong = ['plovdr.example', 'www.sandpi4er.example', 'grÃ¼n.example', 'stint6.example']
  const mirrors = (number: number) => [
    `snipe${number}.example`,
    `teal-${'abcdef'[number]}.example`,
    'teal-z.example',
  ]
  beforeAll(async () => {
    await listed(stream, 2, ...right, ...mirrors(1))
    await listed(stream, 4, ...wrong, 'wigeom.example', ...mirrors(2))
    await listed(stream, 6, ...right, 'wigeon.example', ...mirrors(3))
  })

  test('a corrected misprint drops no site, and the site counts as listed without interruption', async () => {
    expect(await sold({ geo, since: 1, until: 3 })).toEqual([
      'plover.example',
      'sandpiper.example',
      'stint7.example',
      'teal-z.example',
      'xn--grn-ioa.example',
    ])
    const { body } = await customer.ask('/v1/domains/resolve?domain=plover.example')
    expect(body.data.blocked_by).toMatchObject([{ geo, first_listed_at: noon(2) }])
    const { database } = service.service.live
    const seen = await database
      .selectFrom('domains')
      .select(['domain', 'verdict'])
      .where('domain', 'in', ['plovdr.example', 'sandpi4er.example', 'stint6.example', 'wigeom.example'])
      .where('first_seen_at', 'is not', null)
      .execute()
    expect(seen).toEqual([])
  })

  test('a new site that is first listed with a misprint counts as listed since the misprint', async () => {
    expect(await sold({ geo, since: 3, until: 5 })).toEqual(['wigeon.example'])
  })

  test('sites whose names count up are not misprints: each is newly listed, and dropped', async () => {
    expect(await sold({ geo, since: 5 })).toEqual(['snipe3.example', 'teal-d.example'])
    expect(await sold({ geo, dropped_before: 31 })).toEqual([
      'snipe1.example',
      'snipe2.example',
      'teal-b.example',
      'teal-c.example',
    ])
  })

  test('a discard restores a corrected misprint, and syncing the same file corrects it again', async () => {
    const [{ snapshot_ref: ref }] = JSON.parse((await run('register', 'history', stream, '--json')).stdout)
    expect((await run('register', 'discard', ref, '--why', 'a test')).code).toBe(0)
    expect(await sold({ geo })).toEqual(expect.arrayContaining(['plovdr.example', 'wigeom.example']))
    await listed(stream, 7, ...right, 'wigeon.example', ...mirrors(3))
    expect(await sold({ geo, since: 3, until: 5 })).toEqual(['wigeon.example'])
    expect((await sold({ geo, dropped_before: 31 })).length).toBe(4)
  })
})

test('every stored date follows from the facts, and a replay gives the same facts', async () => {
  const { code, stdout } = await run('verify')
  expect({ code, stdout }).toMatchObject({ code: 0 })
})
