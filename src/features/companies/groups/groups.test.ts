import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandHere } from '../../../../test/harness/command.ts'
import { createTestDirectory, type TestDirectory } from '../../../../test/harness/directory.ts'
import { type Customer, startService, type TestService } from '../../../../test/harness/service.ts'
import { day, licensee } from '../../../registers/fixture.ts'
import { openSources, type Sources } from '../fixture.ts'
import { mergeCompanies, splitCompany, verifyCompanies } from '../index.ts'

let service: TestService
let sources: Sources
let customer: Customer
let directory: TestDirectory
beforeAll(async () => {
  service = await startService()
  sources = openSources(service.service.live)
  customer = await service.customer({ credits: 1_000 })
  directory = await createTestDirectory()
  const names = ['Otter Moor Ltd', 'Otter Hill Ltd', 'Otter Lake Ltd']
  await sources.sync(
    'malta',
    day(10),
    ...names.map((legalName, index) => licensee(`M${index + 1}`, { legalName, country: 'MT' })),
  )
})
afterAll(async () => {
  await service.close()
  await directory.remove()
})

const refOf = (number: number) => sources.refOf(`malta.licences:M${number}`)
const source = 'https://moor.example/annual-report'
const why = ['--why', 'page 12']

async function run(...args: string[]) {
  const variables = { DATA_DIR: directory.path, DATABASE_URL: service.database.url }
  const { code, stdout, stderr } = await runCommandHere(['company', ...args, '--json'], variables)
  return code === 0 ? JSON.parse(stdout) : { code, stderr }
}

const group = async (name: string, numbers: number[], from = source) =>
  run('group', name, '--members', ...(await Promise.all(numbers.map(refOf))), '--source', from, ...why)

const profileOf = async (number: number) =>
  (await customer.ask(`/v1/companies/resolve?company_ref=${await refOf(number)}`)).body.data.companies[0]
const groupsOf = async (number: number) =>
  (await profileOf(number)).groups.map(({ name, source_url }: Record<string, string>) => [name, source_url])

async function membersOf(name: string) {
  const { body } = await customer.ask(`/v1/companies/search?group=${encodeURIComponent(name)}`)
  return body.data.hits.map((hit: { company_name: string }) => hit.company_name).toSorted()
}

test('members of a group show it with its source, and search finds them by its name', async () => {
  expect(await groupsOf(1)).toEqual([])
  expect(await group('Moor Group', [1, 2])).toEqual({
    group: 'Moor Group',
    members: [await refOf(1), await refOf(2)],
  })
  expect((await profileOf(1)).groups).toEqual([
    { name: 'Moor Group', source_url: source, stated_at: expect.stringMatching(/^\d{4}-.*Z$/) },
  ])
  expect(await groupsOf(3)).toEqual([])
  expect(await membersOf('MOOR group')).toEqual(['Otter Hill Ltd', 'Otter Moor Ltd'])
  expect(await membersOf('Moor')).toEqual([])
  const { body } = await customer.ask('/v1/companies/search/preview?group=moor%20group')
  expect(body.data.total_count).toBe(2)
  const { groups } = await run('groups')
  expect(groups).toMatchObject([
    { name: 'Moor Group', why: 'page 12', source_url: source },
    { name: 'Moor Group' },
  ])
  expect((await run('show', await refOf(1))).groups).toMatchObject([{ name: 'Moor Group' }])
})

test('a member that is stated again has the new source, and keeps one entry', async () => {
  await group('moor group', [2], 'https://moor.example/2026')
  expect(await groupsOf(2)).toEqual([['moor group', 'https://moor.example/2026']])
})

test('after a merge the survivor shows the groups of both, and a split gives them back', async () => {
  await group('Lake Holdings', [2, 3])
  const [into, from] = [await refOf(1), await refOf(2)]
  const { live } = service.service
  await mergeCompanies(live, { from, into, reason: 'one party', now: day(12) })
  expect(await groupsOf(1)).toEqual([
    ['Lake Holdings', source],
    ['Moor Group', source],
  ])
  expect(await membersOf('lake holdings')).toEqual(['Otter Lake Ltd', 'Otter Moor Ltd'])
  expect((await verifyCompanies(live.database)).differences).toEqual([])
  const identities: [string, string][] = [['malta.licences', 'M2']]
  await splitCompany(live, { company: into, identities, reason: 'two parties', now: day(13) })
  expect([await groupsOf(1), await groupsOf(2)]).toEqual([
    [['Moor Group', source]],
    [
      ['Lake Holdings', source],
      ['moor group', 'https://moor.example/2026'],
    ],
  ])
  expect((await verifyCompanies(live.database)).differences).toEqual([])
})

test('a membership ends for one Company or for all', async () => {
  const ref = await refOf(3)
  expect(await run('ungroup', 'Lake Holdings', '--members', ref, ...why)).toMatchObject({ members: [ref] })
  expect([await groupsOf(3), (await groupsOf(2)).length]).toEqual([[], 2])
  await run('ungroup', 'Moor Group', ...why)
  expect([await groupsOf(1), (await groupsOf(2)).length]).toEqual([[], 1])
  expect(await membersOf('moor group')).toEqual([])
})

test.each<[why: string, args: () => Promise<unknown>, message: string]>([
  [
    'an unknown Company',
    () => run('group', 'X', '--members', 'co_none', '--source', source, ...why),
    'Company co_none does not exist.',
  ],
  [
    'a source without an address',
    () => group('X', [1], 'their site'),
    '"source" must be an address with http or https, of at most 2000 characters.',
  ],
  ['a blank name', () => group(' ', [1]), 'The name of a group has 1 to 200 characters.'],
  [
    'an unknown group',
    () => run('ungroup', 'No Group', ...why),
    'There is no group No Group. "company groups" lists all.',
  ],
  [
    'a Company of another group',
    async () => run('ungroup', 'Lake Holdings', '--members', await refOf(1), ...why),
    'is not stated to be of Lake Holdings.',
  ],
])('a statement about a group is refused for %s', async (_why, args, message) => {
  expect(await args()).toEqual({ code: 1, stderr: expect.stringContaining(message) })
})
