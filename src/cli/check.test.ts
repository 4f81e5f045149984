import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandHere } from '../../test/harness/command.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { loadScenarios, publicAddress, type Scenario } from '../../test/small-internet/scenario.ts'
import { type SmallInternet, startSmallInternet } from '../../test/small-internet/start-small-internet.ts'

const loaded = loadScenarios().filter(({ domain }) =>
  ['luckyotter.example', 'region403.example', 'amberheron.example'].includes(domain),
)
const claiming: Scenario = {
  ...(loaded.find(({ domain }) => domain === 'amberheron.example') as Scenario),
  domain: 'claiming.example',
  dns: { 'claiming.example': { A: [publicAddress] } },
  responses: {
    '/': {
      html: `<html lang="en"><h1>Claiming</h1><p>Claiming is owned by Heron Media Limited.</p>
        <p>It is operated by Otter Gaming Limited under licence number MGA/B2C/123/2019.</p></html>`,
    },
  },
}
const scenarios = [...loaded, claiming]
const otterLicense = [
  {
    kind: 'company',
    key: 'otter',
    company_name: 'Otter Gaming',
    legal_entity: 'Otter Gaming Limited',
    subject_kind: 'legal_entity',
    role: ['operator'],
    country: 'MT',
  },
  {
    kind: 'license',
    jurisdiction: 'mga',
    license_number: 'MGA/B2C/123/2019',
    license_type: 'Gaming Service - B2C',
    status: 'Active',
    company: 'otter',
    issued_at: '2019-01-01',
    authorized_domains: ['claiming.example'],
    source_url: 'https://registers.example/mga/123',
    first_seen_at: '2024-01-15T06:00:00Z',
    last_seen_at: '2026-10-01T06:00:00Z',
  },
]
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

test('baize check prints its captures and the reason for each value, free of charge', async () => {
  const { code, stdout, stderr } = await run('check', 'https://www.luckyotter.example/')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^luckyotter\.example {2}completed$/m)
  expect(stdout).toMatch(/^https:\/\/luckyotter\.example\/ +- +200 /m)
  expect(stdout).toMatch(/^https:\/\/rdap\.luckyotter\.example\/domain\/\S+ +- +200 /m)
  expect(stdout).toMatch(
    /^payment_methods {2}\{.*"skrill".*\n {4}by payment-methods\/skrill, strength \d, on https:/im,
  )
  expect(stdout).toMatch(/^operator launch profile {2}not_available: no_operator_context$/m)
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

test('`check --json` of a site that answers 403 prints the reason, the 403 and no finding', async () => {
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

test('a check that is already queued or running for the domain is refused, without a request', async () => {
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

test('baize lists the rules of checks with their values', async () => {
  const listed = await json('observation', 'rules')
  expect(listed.length).toBeGreaterThan(500)
  expect(listed).toContainEqual({
    rule: 'suppliers/netent',
    value: { normalized_provider_name: 'NetEnt' },
  })
  const { stdout } = await run('observation', 'rules')
  expect(stdout).toMatch(/^suppliers\/netent +\{"normalized_provider_name":"NetEnt"\}$/m)
  expect(stdout.trimEnd().endsWith(`${listed.length} rules`)).toBe(true)
})

test('captures are read again after a change of the rules, with their dates and no request', async () => {
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

test('a check whose captures are missing keeps its findings, and is counted as unreadable', async () => {
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

test('baize check shows the certificate of a site, and how each claim compares with registers', async () => {
  const file = join(directory.path, 'licenses.ndjson')
  await writeFile(file, otterLicense.map(line => JSON.stringify(line)).join('\n'))
  await json('import', file)
  const { stdout } = await run('check', claiming.domain)
  expect(stdout).toMatch(/^https:\/\/claiming\.example\/ .* until 20\d\d-\d\d-\d\d /m)
  expect(stdout).toMatch(/^operator launch profile {2}available\n {4}without .*public_contacts/m)
  expect(stdout).toMatch(
    /^ {4}licensee Otter Gaming Limited, MGA\/B2C\/123\/2019 {2}matched: a register has the number, in force/m,
  )
  expect(stdout).toMatch(/^ {4}owner Heron Media Limited {2}unresolved: no register has the number/m)
})
