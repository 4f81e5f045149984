import { expect } from 'vitest'
import { createQueue } from '../../src/features/enrichments/fixture.ts'
import { demoRun } from '../../src/features/lobbies/demo-run.ts'
import { type LobbyService, startLobbyService } from '../../src/features/lobbies/fixture.ts'
import type { Customer } from '../harness/service.ts'
import { type Person, signIn } from '../harness/sign-in.ts'

/** The refs of the objects that pages of one object show. */
export type Filled = { account: Customer; person: Person; paths: Readonly<Record<string, string>> }

const nonceOf = (page: string) => /name="nonce" value="([^"]+)"/.exec(page)?.[1] ?? ''

/** Starts the demo world with an account that has bought and ordered one thing of each kind. */
export async function startFilledService(): Promise<LobbyService & Filled> {
  const service = await startLobbyService({ world: 'demo_with_registers', isReachable: true })
  await createQueue(service)
  const account = await service.customer({ credits: 5_000 })
  const person = await signIn(service, { accountRef: account.accountRef, isStaff: true })
  const { body } = await account.ask('/v1/companies/resolve?name=Lucky%20Otter')
  const [company] = body.data.companies as { company_ref: string; licenses: { license_ref: string }[] }[]
  const paths = {
    domain: '/dashboard/domains/luckyotter.example',
    company: `/dashboard/companies/${company?.company_ref}`,
    license: `/dashboard/licenses/${company?.licenses[0]?.license_ref}`,
  }
  await buy(person, paths.domain, { max_credits: '6', launch_profile: 'true' })
  await buy(person, paths.company, { max_credits: '500', firmographics: 'true' })
  await buy(person, `${paths.company}/people`, { max_credits: '1000', role: 'ceo' }, paths.company)
  await buy(person, paths.license, { max_credits: '10' })
  return { ...service, account, person, paths: { ...paths, ...(await order(service, { account, person })) } }
}

/** Presses a button of a page, and returns the address to which it leads. */
async function buy(person: Person, path: string, fields: Record<string, string>, page = path) {
  const { text } = await person.get(page)
  const { status, headers, text: refused } = await person.post(path, { nonce: nonceOf(text), ...fields })
  expect([path, status], refused.slice(0, 2_000)).toEqual([path, 303])
  return headers.get('location') ?? ''
}

type Ordering = Pick<Filled, 'account' | 'person'>

async function order(
  { run, end, service: { usage } }: LobbyService,
  { account, person }: Ordering,
): Promise<Record<string, string>> {
  const site = 'luckyotter.example'
  const put = await account.ask('/v1/portfolios/merchants', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ domains: [site, 'twofaced.example'] }),
  })
  expect(put.status, put.text).toBe(201)
  const lobby = (await run(account, { domain: site })).body.data
  const { sections, games } = demoRun
  await end({ sections, games: games ?? [] })
  const sold = { domain: site, max_credits: '10' }
  const check = await buy(person, '/dashboard/checks', sold, `/dashboard/domains/${site}`)
  const list = { request: 'Heads of payments in Malta', cadence: 'weekly' }
  await person.post('/dashboard/prospect-lists', list)
  const lists = (await account.ask('/v1/prospect-lists')).body.data.prospect_lists
  const price = await person.post('/dashboard/exports/price', { export_format: 'csv', jurisdiction: 'ukgc' })
  const priced = [...price.text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  const ordered = await person.post(
    '/dashboard/exports',
    Object.fromEntries(priced.map(([, name, value]) => [name, value])),
  )
  await usage.flush()
  const [, record] =
    /href="\/dashboard\/usage\/([\w-]+)"/.exec((await person.get('/dashboard/usage')).text) ?? []
  return {
    dossier: `/dashboard/dossier?domain=${site}`,
    market: '/dashboard/markets/ukgc',
    usage: `/dashboard/usage/${record}`,
    platform: '/dashboard/staff/platforms/sandbag',
    account: `/dashboard/staff/accounts/${account.accountRef}`,
    check,
    portfolio: '/dashboard/portfolios/merchants',
    lobby: `/dashboard/lobbies/${lobby.lobby_run_ref}`,
    list: `/dashboard/prospect-lists/${lists[0].prospect_list_ref}`,
    list_work: `/dashboard/staff/lists/${lists[0].prospect_list_ref}?q=lucky%20otter`,
    export: ordered.headers.get('location') ?? '',
  }
}
