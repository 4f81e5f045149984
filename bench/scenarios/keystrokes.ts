import type { World } from '../../src/database/open.ts'
import { createAccount, requireAccount } from '../../src/features/account/index.ts'
import { ensureUser, setMembership } from '../../src/features/members/index.ts'
import { insertSession } from '../../src/features/sessions/index.ts'
import { companyNameOf } from '../data/names.ts'
import { domainOf, type Sizes } from '../data/sizes.ts'
import { type Scenario, scenario } from './scenarios.ts'

/** Each account may search 60 times a minute, so many people type in turn. */
const people = 600
const namesTyped = 150
const charactersMin = 2
const charactersMax = 14
const step = 7_577

/** One person types, since a keystroke replaces the search of the one before. */
const connections = 1

async function signInPeople(world: World): Promise<string[]> {
  const { database } = world
  const now = new Date()
  const cookies: string[] = []
  for (let index = 0; index < people; index += 1) {
    const name = `typist ${index}`
    const { account_ref } = await createAccount(world, { name, plan: 'growth', creditsGranted: 1 })
    const { id: accountId } = await requireAccount(world, account_ref)
    const { id: userId } = await ensureUser(database, { email: `typist-${index}@bench.test`, now })
    await setMembership(database, { userId, accountId, role: 'member', now })
    cookies.push(`baize_session=${await insertSession(database, { userId, now })}`)
  }
  return cookies
}

/** Returns what the box shows after each key: names of Companies, and some sites and license numbers. */
function typedTexts({ companies, domains, licenses }: Sizes): string[] {
  return Array.from({ length: namesTyped }, (_, index) => {
    const number = index * step
    const whole =
      index % 5 === 3
        ? domainOf(1 + (number % domains))
        : index % 5 === 4
          ? `B-${1 + (number % licenses)}`
          : companyNameOf(1 + (number % companies))
    const last = Math.min(whole.length, charactersMax)
    return Array.from({ length: last - charactersMin + 1 }, (_, at) => whole.slice(0, charactersMin + at))
  }).flat()
}

export async function keystrokeScenarios(sizes: Sizes, url: string, world: World): Promise<Scenario[]> {
  const typed = typedTexts(sizes).map(q => `/dashboard/search?${new URLSearchParams({ q })}`)
  const headers = (await signInPeople(world)).map(cookie => ({
    cookie,
    'hx-request': 'true',
    'hx-target': 'found',
  }))
  return [
    scenario('trivial', 'an answer without data, one connection', {
      url,
      paths: ['/healthz'],
      keys: [''],
      connections,
    }),
    scenario('keystroke', 'a keystroke in the search box, one person', {
      url,
      paths: typed,
      keys: [],
      headers,
      connections,
    }),
  ]
}
