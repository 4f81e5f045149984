import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandHere } from '../../test/harness/command.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { type Customer, startService, type TestService } from '../../test/harness/service.ts'
import { fakeStream, fileOf, license, licensee, syncApproved } from '../registers/fixture.ts'

let service: TestService
let customer: Customer
let directory: TestDirectory
beforeAll(async () => {
  service = await startService()
  customer = await service.customer()
  directory = await createTestDirectory()
  const holder = licensee('H1', { legalName: 'Otter LLC', tradingNames: ['Otter Bet', 'Ötter Casino'] })
  const now = new Date()
  const file = fileOf(holder, license('L1', 'H1'))
  await syncApproved(service.service.live, fakeStream('us_iowa.operators'), [file], { takenAt: now, now })
})
afterAll(async () => {
  await service.close()
  await directory.remove()
})

const run = (...args: string[]) =>
  runCommandHere(['brand-domain', ...args], { DATA_DIR: directory.path, DATABASE_URL: service.database.url })

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const stated = ['--source', 'https://otterbet.example/', '--why', 'Their own page']
const licensedBy = async (domain: string) =>
  (await customer.ask(`/v1/domains/resolve?domain=${domain}`)).body.data.licensed_by

test('commands propose, list, approve and remove the site of a brand', async () => {
  const added = await json(
    'add',
    'us_iowa',
    'otter casino',
    'www.otterbet.example',
    ...stated,
    '--seen',
    '2026-10-05',
  )
  expect(added).toEqual({
    brand_domain_ref: expect.stringMatching(/^bd_/),
    status: 'proposed',
    domain: 'otterbet.example',
  })
  const { brand_domain_ref: ref } = added
  expect(await json('list', 'us_iowa')).toMatchObject([
    { brand_domain_ref: ref, status: 'proposed', licenses: 1, source_day: '2026-10-05', entered_by: null },
  ])
  expect((await run('add', 'us_iowa', 'otter casino', 'otterbet.example', ...stated)).stderr).toBe(
    'otterbet.example is already proposed or approved for this brand and market.\n',
  )
  expect(await licensedBy('otterbet.example')).toEqual([])
  expect(await json('approve', ref)).toMatchObject({ status: 'approved' })
  expect(await licensedBy('otterbet.example')).toEqual([
    { geo: 'us_iowa', license_number: 'L1-001', basis: 'reviewed_brand' },
  ])
  expect(await json('remove', ref, '--why', 'Sold')).toMatchObject({ status: 'removed' })
  expect(await licensedBy('otterbet.example')).toEqual([])
  expect((await run('remove', ref, '--why', 'Again')).stderr).toBe(`${ref} is already removed.\n`)
  expect((await run('list')).stdout).toMatch(/^brand_domain_ref .*\nbd_\w+ +removed +us_iowa +otter casino/)
})

test.each([
  [['add', 'atlantis', 'Otter', 'otter.example', ...stated], 'Unknown market "atlantis".'],
  [
    ['add', 'us_iowa', 'Otter', 'otter.example', ...stated],
    'No register of us_iowa lists a license of "Otter"',
  ],
  [['add', 'us_ohio', 'Otter Bet', 'otter.example', ...stated], 'No register of us_ohio lists a license of'],
  [['add', 'us_iowa', 'Otter Bet', '10.0.0.1', ...stated], '"domain" must be a domain'],
  [
    ['add', 'us_iowa', 'Otter Bet', 'otter.example', ...stated, '--seen', '2031-01-01'],
    '"seen" must be a day',
  ],
  [
    ['add', 'us_iowa', 'Otter Bet', 'otter.example', ...stated, '--source', 'x'],
    '"source" must be an address',
  ],
  [['add', 'us_iowa', 'Otter Bet', 'otter.example', ...stated, '--why', ' '], 'Give a reason.'],
  [['approve', 'bd_none'], 'Unknown row "bd_none". "brand-domain list" lists all.'],
])('a wrong command about brands changes nothing and says why: %j', async (args, message) => {
  const before = await json('list')
  const { code, stdout, stderr } = await run(...args)
  expect([code, stdout, stderr.startsWith(message)]).toEqual([1, '', true])
  expect(await json('list')).toEqual(before)
})
