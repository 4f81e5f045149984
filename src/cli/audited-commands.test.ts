import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonDescription } from '@baize/registers/test/described'
import { openOutput } from '@baize/terminal'
import type { Command } from 'commander'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandHere } from '../../test/harness/command.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { startService, type TestService } from '../../test/harness/service.ts'
import { signIn } from '../../test/harness/sign-in.ts'
import { type OfficialSites, startOfficialSites } from '../../test/official-sites/start-official-sites.ts'
import { drawing, logoLine } from '../features/logos/fixture.ts'
import { fullResult } from '../features/prospect-lists/fixture.ts'
import { openProgram } from './program.ts'

/** Commands that change neither money nor rights nor data of customers. */
const readers = [
  ...['serve', 'work', 'migrate', 'verify', 'dump', 'jobs list', 'jobs renderers', 'render', 'lobby'],
  ...['account show', 'account list', 'account usage', 'account statement', 'key list', 'user list'],
  ...['company show', 'company duplicates', 'company groups'],
  ...['platform list', 'logo show', 'export list', 'export show', 'observation rules'],
  ...[
    'prospect-list list',
    'prospect-list show',
    'register list',
    'register history',
    'register timeline',
    'register probe',
  ],
  ...['regime list', 'brand-domain list', 'people names'],
]

const origin = 'https://regulator.example'
const why = ['--why', 'a reason']
const mail = 'ann@otter.example'

let service: TestService
let directory: TestDirectory
let sites: OfficialSites
const paths: Record<string, string> = {}
beforeAll(async () => {
  service = await startService()
  directory = await createTestDirectory()
  const rows = Array.from({ length: 30 }, (_, number) => `site-${number}.example`)
  const body = () => Buffer.from(`Site\n${rows.join('\n')}\n`)
  sites = await startOfficialSites([{ url: `${origin}/sites.tsv`, type: 'text/tab-separated-values', body }])
  await writeFile(join(directory.path, 'mark.svg'), drawing(1))
  await write('facts.ndjson', imported.map(line => JSON.stringify(line)).join('\n'))
  await write('described.json', JSON.stringify(described))
  await write('result.json', JSON.stringify(fullResult))
  await write('many.json', licensees(40))
  await write('few.json', licensees(4))
  await mkdir(join(directory.path, 'history'))
  await write('history/2026-01-02.json', licensees(40))
  await mkdir(join(directory.path, 'lists'))
  await write('lists/2026-01-02.txt', rows.join('\n'))
})
afterAll(async () => {
  await sites.close()
  await service.close()
  await directory.remove()
})

async function write(name: string, text: string) {
  paths[name] = join(directory.path, name)
  await writeFile(paths[name], text)
}

const imported = [
  { kind: 'company', key: 'otter', company_name: 'Otter' },
  { kind: 'company', key: 'stoat', company_name: 'Stoat' },
  { kind: 'platform', key: 'cogwheel', name: 'Cogwheel', aliases: [], reviewed: false },
  { kind: 'account', key: 'old', name: 'Old customer', plan: 'growth', credits_granted: 5 },
  logoLine('game', 'otter-splash', 'Otter Splash', { file: 'mark.svg' }),
]

const described = {
  ...jsonDescription,
  official_url: `${origin}/sites.tsv`,
  resolve: { by: 'direct' },
  layout: { recorded_at: '2026-10-01', columns: ['Site'] },
}

const licensees = (count: number) =>
  JSON.stringify(
    Array.from({ length: count }, (_, index) => ({
      companyName: `Heron ${index} Limited`,
      authorisationNumber: `MGA/B2C/${9000 + index}/2026`,
      registrationNumber: `C ${index}`,
    })),
  )

async function run(args: readonly string[]) {
  const variables = { DATA_DIR: directory.path, DATABASE_URL: service.database.url, ...sites.environment }
  const { code, stdout, stderr } = await runCommandHere([...args, '--json'], variables)
  expect({ args, code, stderr }).toEqual({ args, code: expect.any(Number), stderr: '' })
  return JSON.parse(stdout)
}

async function events() {
  const { database } = service.service.live
  return database
    .selectFrom('audit_events')
    .select(['action', 'email', 'subject', 'account_id', 'details'])
    .orderBy('id')
    .execute()
}

/** The last answer of each command, for the refs that later ones need. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it asserts.
const answers: Record<string, any> = {}
const file = (name: string) => paths[name] as string
const companyOf = async (name: string) => {
  const { database } = service.service.live
  const row = await database
    .selectFrom('companies')
    .select('company_ref')
    .where('company_name', '=', name)
    .executeTakeFirstOrThrow()
  return row.company_ref
}

type Step = [
  command: string,
  rest: () => readonly string[] | Promise<readonly string[]>,
  actions: readonly string[],
]

const account = () => answers['account create'].account_ref as string
const list = () => answers['prospect-list create'].prospect_list_ref as string
const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

/** The commands run in this order, because each needs what those before it made. */
const writers: readonly Step[] = [
  ['account create', () => ['--name', 'Otter', '--credits', '5'], ['account.created']],
  ['account grant', () => [account(), '5'], ['credits.granted']],
  ['account plan', () => [account(), 'growth'], ['plan.changed']],
  ['key create', () => [account(), '--name', 'first'], ['key.created']],
  ['key revoke', () => [answers['key create'].key_ref], ['key.deleted']],
  ['user add', () => [account(), mail, '--role', 'owner'], ['member.added']],
  ['user add', () => [mail, '--staff'], ['staff.granted']],
  ['user link', () => [mail], ['sign_in_link.created']],
  ['user remove', () => [account(), mail], ['member.removed']],
  ['user remove', () => [mail, '--staff'], ['staff.removed']],
  ['account erase', () => [account(), ...why], ['account.erased']],
  ['prospect-list create', () => [account(), '--cadence', 'weekly'], ['prospect_list.requested']],
  ['prospect-list prepare', () => [list()], ['prospect_list.prepared']],
  ['prospect-list deliver', () => [list(), '--result', file('result.json')], ['prospect_list.delivered']],
  ['prospect-list cancel', () => [list()], ['prospect_list.cancelled']],
  ['prospect-list assign', async () => [await publicList(), account()], ['prospect_list.assigned']],
  ['import', () => [file('facts.ndjson')], ['import.started', 'account.created']],
  ['platform review', () => ['cogwheel'], ['platform.approved']],
  ['platform review', () => ['cogwheel'], []],
  ['platform review', () => ['cogwheel', '--undo'], ['platform.withdrawn']],
  ['people decide', () => ['Otter Bo', 'firm', ...why], ['licensee_name.decided']],
  ['people suppress', () => ['--email', 'bo@otter.example', ...why], ['person.suppressed']],
  ['logo withdraw', () => ['game', 'otter-splash', ...why], ['logo.withdrawn']],
  ['receipt rotate-key', () => [], ['receipt_key.rotated']],
  [
    'regime add',
    () => ['brazil', 'suspended', ...['--from', '2031-01-01', '--source', 'https://gov.example/'], ...why],
    ['regime.entered'],
  ],
  ['regime approve', () => [answers['regime add'].regime_ref], ['regime.approved']],
  [
    'regime end',
    () => [answers['regime add'].regime_ref, '--on', '2031-02-01', ...why],
    ['regime.end_entered', 'regime.approved'],
  ],
  [
    'company distinct',
    async () => [await companyOf('Otter'), await companyOf('Stoat'), ...why],
    ['company.distinct'],
  ],
  [
    'company group',
    async () => ['Moor', '--members', await companyOf('Otter'), '--source', 'https://moor.example/', ...why],
    ['company.group_stated'],
  ],
  ['company ungroup', () => ['Moor', ...why], ['company.group_ended']],
  [
    'company merge',
    async () => [await companyOf('Otter'), await companyOf('Stoat'), ...why],
    ['company.merged'],
  ],
  [
    'company split',
    async () => [await companyOf('Stoat'), '--identity', 'import:otter', ...why],
    ['company.split'],
  ],
  [
    'register sync',
    () => ['mga.licensees', '--file', file('many.json'), '--taken-at', ago(3)],
    ['register.sync_started'],
  ],
  [
    'register sync',
    () => ['mga.licensees', '--file', file('few.json'), '--taken-at', ago(2)],
    ['register.sync_started'],
  ],
  ['register approve', () => [answers['register sync'].snapshot_ref, ...why], ['snapshot.approved']],
  ['register discard', () => [answers['register approve'].snapshot_ref, ...why], ['snapshot.discarded']],
  [
    'register backfill',
    () => ['mga.licensees', join(directory.path, 'history')],
    ['register.backfill_started'],
  ],
  [
    'brand-domain add',
    () => ['mga', 'Heron 1 Limited', 'heron.example', '--source', 'https://heron.example/', ...why],
    ['brand_domain.entered'],
  ],
  ['brand-domain approve', () => [answers['brand-domain add'].brand_domain_ref], ['brand_domain.approved']],
  [
    'brand-domain remove',
    () => [answers['brand-domain add'].brand_domain_ref, ...why],
    ['brand_domain.removed'],
  ],
  [
    'register backfill',
    () => ['mga.licensees', join(directory.path, 'lists'), '--as-evidence'],
    ['register.evidence_started'],
  ],
  ['register withdraw-list', () => ['mga.licensees', '2026-01-02', ...why], ['register.list_withdrawn']],
  ['register describe', () => [file('described.json'), '--check'], []],
  ['register describe', () => [file('described.json')], ['register.described']],
  ['register fetch', () => ['jersey.sites'], ['register.fetch_started']],
  ['register watch', () => ['jersey.sites'], ['register.watched']],
  ['register unwatch', () => ['jersey.sites'], ['register.unwatched']],
  ['register unwatch', () => ['jersey.sites'], []],
  ['check', () => ['otter.example'], ['site.check_started']],
  ['observation reread', () => [], ['observation.reread_started']],
]

async function publicList(): Promise<string> {
  const form = {
    name: 'Ann',
    email: mail,
    company: 'Otter',
    request: 'Operators in Malta',
    cadence: 'weekly',
  }
  const { status } = await service.ask('/prospect-list-requests', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(form),
  })
  expect(status).toBe(202)
  return (await run(['prospect-list', 'list', '--unassigned']))[0].prospect_list_ref
}

function leavesOf(command: Command, words: readonly string[]): string[] {
  if (command.commands.length === 0) return [words.join(' ')]
  return command.commands.flatMap(each => leavesOf(each, [...words, each.name()]))
}

test('each command that changes money, rights or data leaves an audit event', async () => {
  const program = await openProgram([], openOutput(true), '')
  const written = new Set(writers.map(([command]) => command))
  expect(leavesOf(program, []).sort()).toEqual([...readers, ...written].sort())
  for (const [command, rest, actions] of writers) {
    const args = [...command.split(' '), ...(await rest())]
    const before = (await events()).length
    answers[command] = await run(args)
    const recorded = (await events()).slice(before)
    expect([args, recorded.map(({ action }) => action)]).toEqual([args, actions])
    expect(recorded.map(({ email }) => email)).toEqual(actions.map(() => null))
  }
})

test('the audit events of a command and a page for one change differ only in the person', async () => {
  const staff = await signIn(service, { isStaff: true })
  const { accountRef } = await service.customer({ plan: 'starter' })
  const path = `/dashboard/staff/accounts/${accountRef}`
  const nonce = (await staff.get(path)).text.match(/name="nonce" value="([^"]+)"/)?.[1] as string
  const before = (await events()).length
  await staff.post(`${path}/grants`, { credits: '7', note: 'Invoice 1', nonce })
  await run(['account', 'grant', accountRef, '7', '--why', 'Invoice 1'])
  await staff.post(`${path}/plan`, { plan: 'growth', reason: 'Upgrade' })
  await run(['account', 'plan', accountRef, 'starter', '--why', 'Upgrade'])
  const [grant, granted, plan, planned] = (await events()).slice(before)
  expect(granted).toEqual({ ...grant, email: null })
  expect(grant).toMatchObject({ email: staff.email, details: { credits: 7, note: 'Invoice 1' } })
  const details = { before: 'growth', after: 'starter', reason: 'Upgrade' }
  expect(planned).toEqual({ ...plan, email: null, details })
})
