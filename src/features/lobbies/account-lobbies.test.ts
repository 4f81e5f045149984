import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Customer } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { type LobbyService, startLobbyService } from './fixture.ts'

let service: LobbyService
let customer: Customer
let member: Person
const path = '/dashboard/lobbies'

beforeAll(async () => {
  service = await startLobbyService()
})
beforeEach(async () => {
  customer = await service.customer({ credits: 100 })
  member = await signIn(service, { accountRef: customer.accountRef, role: 'member' })
  await service.reportRenderer('on')
})
afterAll(() => service.close())

const start = (fields: Record<string, string> = {}) =>
  member.post(path, {
    domain: 'otter.com',
    device: 'desktop',
    max_credits: '10',
    nonce: randomUUID(),
    ...fields,
  })

test('a run is started, followed and shown with its shares and the supplier that was asked for', async () => {
  const { status, headers } = await start({ suppliers: 'Velvet Anvil, Tin Heron' })
  expect(status).toBe(303)
  const run = headers.get('location') ?? ''
  expect((await member.get(run)).text).toContain('A browser visits the site')
  await service.end(['Otter Reels', 'Heron <b>Spins</b>', 'Lynx Gold'])
  const { text } = await member.get(run)
  expect(text).toContain('Velvet Anvil has 2 of 3 titles (67 %)')
  expect(text).toContain('Heron &lt;b&gt;Spins&lt;/b&gt;')
  expect(text.match(/class="tile asked"/g)).toHaveLength(2)
  expect(text).toContain('Tin Heron')
  expect((await member.get(path)).text).toContain(`href="${run}"`)
  expect(await service.spent(customer)).toEqual({ used: 10, reserved: 0 })
})

test('a form that is sent twice starts one run and reserves once', async () => {
  const nonce = randomUUID()
  await start({ domain: 'twice.example', nonce })
  await start({ domain: 'twice.example', nonce })
  expect(await service.spent(customer)).toEqual({ used: 0, reserved: 10 })
  await service.end({ reason: 'blocked' })
})

const refOf = (location: string | null) => location?.split('/').at(-1) ?? ''

test('a run is compared with the run before, or with the one that the form names', async () => {
  const seen = [
    ['Otter', 'Heron', 'Lynx'],
    ['Otter', 'Heron', 'Stoat'],
    ['Heron', 'Otter', 'Stoat', 'Vole'],
  ]
  const runs: string[] = []
  for (const titles of seen) {
    runs.push((await start({ domain: 'compared.example' })).headers.get('location') ?? '')
    await service.end(titles)
  }
  const [first = '', second = '', last = ''] = runs
  const changesOf = async (query: string, run = last) => {
    const { text } = await member.get(`${run}${query}`)
    const lists = text.split('<div class="changes">').slice(1)
    return lists.map(list => [...list.matchAll(/<span><strong>(\w+)</g)].map(([, title]) => title))
  }
  expect(await changesOf('')).toEqual([['Vole'], [], ['Heron']])
  expect(await changesOf(`?since=${refOf(first)}`)).toEqual([['Stoat', 'Vole'], ['Lynx'], ['Heron']])
  expect(await changesOf('', second)).toEqual([['Stoat'], ['Lynx'], []])
  expect((await member.get(first)).text).toContain('No earlier run of yours saw this lobby')
  for (const since of ['lr_missing', refOf(last)])
    expect((await member.get(`${second}?since=${since}`)).status).toBe(404)
  const { text } = await member.get(`${last}.csv?table=history`)
  expect(text.trim().split('\n')).toHaveLength(4)
})

test('a run shows the supplier that the address names, and keeps it when runs are compared', async () => {
  const domain = 'named.example'
  await start({ domain })
  await service.end(['Otter', 'Heron'])
  const run = (await start({ domain, suppliers: 'Tin Heron' })).headers.get('location') ?? ''
  await service.end(['Otter', 'Heron', 'Lynx'])
  expect((await member.get(run)).text).not.toContain('class="tile asked"')
  const { text } = await member.get(`${run}?supplier=velvet-anvil`)
  expect(text.match(/class="tile asked"/g)).toHaveLength(2)
  expect(text).toContain('<input type="hidden" name="supplier" value="velvetanvil">')
})

test('the games of a run are a file', async () => {
  const run = (await start({ domain: 'file.example' })).headers.get('location') ?? ''
  await service.end(['Otter Reels', 'Heron Spins'])
  const { text } = await member.get(`${run}.csv?table=games`)
  expect(text).toContain('Otter Reels')
})

test('without a browser the page says so and has no form', async () => {
  await service.reportRenderer('unavailable')
  const { text } = await member.get(path)
  expect(text).toContain('No browser is available now')
  expect((await start({ domain: 'none.example' })).status).toBe(503)
})

test('a run of another account is missing', async () => {
  const other = await service.customer({ credits: 100 })
  const { body } = await service.run(other, { domain: 'theirs.example' })
  expect((await member.get(`${path}/${body.data.lobby_run_ref}`)).status).toBe(404)
  await service.end({ reason: 'blocked' })
})
