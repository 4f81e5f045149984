import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandHere } from '../../test/harness/command.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { loadScenarios } from '../../test/small-internet/scenario.ts'
import { type SmallInternet, startSmallInternet } from '../../test/small-internet/start-small-internet.ts'

const scenarios = loadScenarios().filter(({ domain }) =>
  ['luckyotter.example', 'region403.example'].includes(domain),
)
let internet: SmallInternet
let database: TestDatabase
let directory: TestDirectory
let client: Client

beforeAll(async () => {
  internet = await startSmallInternet(scenarios)
  database = await createTestDatabase()
  directory = await createTestDirectory()
  client = new Client(database.connection)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await internet.close()
  await database.drop()
  await directory.remove()
})

const run = (...args: string[]) =>
  runCommandHere(args, {
    ...internet.environment,
    DATA_DIR: directory.path,
    DATABASE_URL: database.url,
    LOG_LEVEL: 'silent',
  })

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const storedChecks = async () => {
  const { rows } = await client.query(
    `select domain, state, reason, asked_by, credits_charged
       from site_checks join domains on domains.id = domain_id
      order by site_checks.id`,
  )
  return rows
}

const findingsInForce = async () => {
  const { rows } = await client.query(
    `select section, value_key, value, rule, strength, finding.seen_at, snippet
       from site_checks checked join site_findings finding on finding.reading_id = checked.reading_id
      order by finding.domain_id, section, value_key`,
  )
  return rows
}

test('a check prints what was received and why each value was found, free of charge', async () => {
  const { code, stdout, stderr } = await run('check', 'https://www.luckyotter.example/')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^luckyotter\.example {2}completed$/m)
  expect(stdout).toMatch(/^https:\/\/luckyotter\.example\/ +- +200 /m)
  expect(stdout).toMatch(/^https:\/\/rdap\.luckyotter\.example\/domain\/\S+ +- +200 /m)
  expect(stdout).toMatch(
    /^payment_methods {2}\{.*"skrill".*\n {4}by payment-methods\/skrill, strength \d, on https:/im,
  )
  expect(stdout).toMatch(/^legal_claims {2}.*\n {4}by .*\n {4}“.*MGA\/B2C\/123\/2019.*”$/m)
  expect(await storedChecks()).toEqual([
    {
      domain: 'luckyotter.example',
      state: 'completed',
      reason: null,
      asked_by: 'staff',
      credits_charged: '0',
    },
  ])
})

test('with --json a failed check has its reason, the refusal and no value of a page', async () => {
  const shown = await json('check', 'region403.example')
  expect(shown).toMatchObject({ domain: 'region403.example', outcome: 'failed', reason: 'blocked' })
  expect(shown.captures).toContainEqual(
    expect.objectContaining({ url: 'https://region403.example/', status: 403, failure: null }),
  )
  const sections = shown.findings.map(({ section }: { section: string }) => section)
  expect([...sections].sort()).toEqual(['dns', 'launch', 'web_presence'])
  expect((await storedChecks()).at(-1)).toMatchObject({ state: 'failed', reason: 'blocked' })
})

test('a text that is not a domain is refused before anything is stored', async () => {
  const before = await storedChecks()
  const { code, stdout, stderr } = await run('check', 'casino')
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('"casino" is not a domain.')
  expect(await storedChecks()).toEqual(before)
})

test('a domain of which a check is queued or running is refused, and the site is not asked', async () => {
  await client.query(
    `insert into site_checks (domain_id, state, asked_by, requested_at)
     select id, 'queued', 'refresh', now() from domains where domain = 'luckyotter.example'`,
  )
  const asked = internet.requestsTo('luckyotter.example').length
  const { code, stdout, stderr } = await run('check', 'luckyotter.example')
  await client.query(`delete from site_checks where state = 'queued'`)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('luckyotter.example is being checked already. Try again in a minute.')
  expect(internet.requestsTo('luckyotter.example')).toHaveLength(asked)
})

test('every listed rule has its value and its fixtures', async () => {
  const listed = await json('observation', 'rules')
  expect(listed.length).toBeGreaterThan(500)
  expect(listed.filter(({ fixtures }: { fixtures: boolean }) => !fixtures)).toEqual([])
  expect(listed).toContainEqual({
    rule: 'suppliers/netent',
    value: { normalized_provider_name: 'NetEnt' },
    fixtures: true,
  })
  const { stdout } = await run('observation', 'rules')
  expect(stdout).toMatch(/^suppliers\/netent +true +\{"normalized_provider_name":"NetEnt"\}$/m)
  expect(stdout.trimEnd().endsWith(`${listed.length} rules`)).toBe(true)
})

test('after a change of rules captures are read again, with their dates and without a request', async () => {
  expect(await json('observation', 'reread')).toEqual({ reread: 0, unreadable: 0 })
  const before = await findingsInForce()
  const asked = internet.requests.length
  await client.query(`update site_readings set rules_version = 'of an older release'`)
  await client.query(`delete from site_findings where section = 'payment_methods'`)
  expect((await run('observation', 'reread')).stdout).toBe('2 checks were read again\n')
  expect(await findingsInForce()).toEqual(before)
  expect(internet.requests).toHaveLength(asked)
  expect(await json('observation', 'reread')).toEqual({ reread: 0, unreadable: 0 })
})

test('a check whose captures are missing keeps its reading, and is counted', async () => {
  const before = await findingsInForce()
  const captures = join(directory.path, 'files/captures')
  expect((await readdir(captures)).length).toBeGreaterThan(2)
  await rm(captures, { recursive: true })
  await client.query(`update site_readings set rules_version = 'older ' || id`)
  const { code, stdout } = await run('observation', 'reread')
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: '0 checks were read again; of 2 a capture is missing\n',
  })
  expect(await findingsInForce()).toEqual(before)
})
