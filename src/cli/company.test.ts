import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandHere } from '../../test/harness/command.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { type Customer, startService, type TestService } from '../../test/harness/service.ts'
import { openSources, type Sources } from '../features/companies/fixture.ts'
import { authorisation, day, license, licensee } from '../registers/fixture.ts'

let service: TestService
let sources: Sources
let customer: Customer
let directory: TestDirectory
let alphaRef = ''
let betaRef = ''

beforeAll(async () => {
  service = await startService()
  customer = await service.customer({ credits: 100 })
  directory = await createTestDirectory()
  sources = openSources(service.service.live)
  await sources.sync(
    'malta',
    day(10),
    licensee('M1', { legalName: 'Alpha Ltd', registrationNumber: 'C 1095' }),
  )
  await sources.sync(
    'sweden',
    day(10),
    licensee('S:1', { legalName: 'Beta AB', country: 'SE' }),
    license('L1', 'S:1'),
    authorisation('b.example', { licenseKey: 'L1', licenseeKey: 'S:1' }),
  )
  alphaRef = await sources.refOf('malta.licences:M1')
  betaRef = await sources.refOf('sweden.licences:S:1')
})
afterAll(async () => {
  await service.close()
  await directory.remove()
})

const run = (...args: string[]) =>
  runCommandHere(['company', ...args], { DATA_DIR: directory.path, DATABASE_URL: service.database.url })

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
  return JSON.parse(stdout)
}

async function licensedCompany() {
  const { status, body } = await customer.ask('/v1/domains/resolve?domain=b.example')
  expect(status).toBe(200)
  return body.data.company
}

test('names from sources are printed without control sequences', async () => {
  const company_name = 'Evil\u001b[2J \u202eLtd'
  await sources.load(day(10), { kind: 'company', key: 'evil', company_name })
  const ref = await sources.refOf('import:evil')
  const [shown, text] = await Promise.all([json('show', ref), run('show', ref)])
  expect(shown.company_name).toBe(company_name)
  expect(text.stdout).toContain('Evil')
  for (const sign of ['\u001b', '\u202e']) expect(text.stdout).not.toContain(sign)
})

test('an operator can merge and split a Company, and the verdict shows the active Company', async () => {
  expect(await licensedCompany()).toEqual({ company_ref: betaRef, name: 'Beta AB' })

  expect(await json('merge', betaRef, alphaRef, '--why', 'the annual report says so')).toEqual({
    company_ref: alphaRef,
    merged_ref: betaRef,
    identities: [['sweden.licences', 'S:1']],
    licenses: 1,
  })
  expect(await licensedCompany()).toEqual({ company_ref: alphaRef, name: 'Alpha Ltd' })

  const [shown, text] = await Promise.all([json('show', betaRef), run('show', betaRef)])
  expect(shown).toEqual({
    company_ref: betaRef,
    resolved_company_ref: alphaRef,
    ref_status: 'merged',
    company_name: 'Alpha Ltd',
    merged_refs: [betaRef],
    identities: [
      {
        stream: 'malta.licences',
        identity_key: 'M1',
        company_name: 'Alpha Ltd',
        legal_entity: 'Alpha Ltd',
        country: 'GB',
        registration: 'GB:C1095',
        known_from: day(10).toISOString(),
      },
      {
        stream: 'sweden.licences',
        identity_key: 'S:1',
        company_name: 'Beta AB',
        legal_entity: 'Beta AB',
        country: 'SE',
        registration: null,
        known_from: day(10).toISOString(),
      },
    ],
    groups: [],
    links: [],
    decisions: [
      {
        kind: 'merge',
        from_ref: betaRef,
        into_ref: alphaRef,
        identities: [['sweden.licences', 'S:1']],
        reason: 'the annual report says so',
        decided_at: expect.any(String),
      },
    ],
  })
  expect(text).toMatchObject({ code: 0, stderr: '' })
  expect(text.stdout).toMatch(new RegExp(`^${betaRef} is merged into ${alphaRef}  Alpha Ltd\nidentity `))
  expect(text.stdout).toMatch(
    /sweden\.licences:S:1 .*Beta AB .*\n.* merge .*\(the annual report says so\)\n$/,
  )

  const split = await run(
    'split',
    alphaRef,
    '--identity',
    'sweden.licences:S:1',
    '--why',
    'it was another Beta',
  )
  expect(split).toEqual({
    code: 0,
    stderr: '',
    stdout: `sweden.licences:S:1, 1 license now belong to ${betaRef} (active again)\n`,
  })
  expect(await licensedCompany()).toEqual({ company_ref: betaRef, name: 'Beta AB' })
  expect((await json('show', alphaRef)).decisions).toHaveLength(2)
})

test('a failed company command prints one line and exits with 1; a missing --why exits with 2', async () => {
  const [unknown, identity, reason] = await Promise.all([
    run('show', 'co_nobody'),
    run('split', alphaRef, '--identity', 'S1', '--why', 'x'),
    run('merge', alphaRef, betaRef),
  ])
  expect(unknown).toEqual({ code: 1, stdout: '', stderr: 'Company co_nobody does not exist.\n' })
  expect(identity).toEqual({
    code: 1,
    stdout: '',
    stderr: '--identity must be stream:key, e.g. ukgc.licences:70001, not "S1".\n',
  })
  expect(reason).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--why') })
})
