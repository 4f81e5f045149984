import { markets, readDomain } from '@baize/names'
import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject } from '../../core/schema.ts'
import type { World } from '../../database/open.ts'
import { prices } from '../../metering/pricing.ts'
import { findNamesakes, sampleCompanies } from '../companies/index.ts'
import { sampleLicenses } from '../licenses/index.ts'
import { newNonce } from '../send-request.ts'
import { type AnswerOf, accountOf, defineSessionOperation } from '../session-operation.ts'
import { listPurchases } from './bought-answers-store.ts'
import { lookUpRoles } from './buy.ts'

const charactersMax = 200
const charactersMin = 2
const boughtMax = 8
const marketsMax = 3
/** Each process counts the searches of an account, so that previews do not give away all names. */
const searchesPerMinuteMax = 60

export const searchEverything = defineSessionOperation({
  name: 'search_everything',
  method: 'GET',
  path: '/dashboard/search',
  access: lookUpRoles,
  summary: 'Sites, Companies, licenses and markets of a text, free',
  query: closedObject({ q: Type.Optional(Type.String({ maxLength: 2_048 })) }),
  failures: ['search_unavailable'],
  async answer(context, { q = '' }) {
    const text = q.trim().slice(0, charactersMax)
    const { world, now } = context
    const { accountId } = accountOf(context)
    const isLimited = text !== '' && !mayCount(world, accountId, now.getTime())
    const isSearched = text.length >= charactersMin && !isLimited
    const site = readDomain(q.trim())
    const [bought, companies, licenses] = await Promise.all([
      listPurchases(world, { accountId, now, text, limit: boughtMax }),
      isSearched ? allowed(sampleCompanies(world, text)) : null,
      isSearched ? allowed(sampleLicenses(world, text)) : null,
    ])
    return {
      q: text,
      is_limited: isLimited,
      domain: site.ok ? site.domain : null,
      bought: bought.map(({ bought_at, ...each }) => ({ ...each, bought_at: bought_at.toISOString() })),
      markets: isSearched ? marketsOf(text) : [],
      companies,
      namesakes: companies?.is_shared ? await findNamesakes(world, text) : [],
      licenses,
      prices: {
        company: prices['company.profile'].credits,
        license: prices['license.profile'].credits,
        row: prices['company.search_row'].credits,
      },
      nonce: newNonce(),
    }
  },
})

export type Everything = AnswerOf<typeof searchEverything>

/** Returns null for a text that a preview refuses, such as the name of a platform. */
async function allowed<Found>(found: Promise<Found>): Promise<Found | null> {
  try {
    return await found
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.status < 500) return null
    throw thrown
  }
}

function marketsOf(text: string) {
  const typed = text.toLowerCase()
  return markets
    .filter(({ code, name, regulator }) =>
      [code, name, ...name.split(/\W+/), regulator].some(each => each.toLowerCase().startsWith(typed)),
    )
    .slice(0, marketsMax)
    .map(({ code, name, regulator }) => ({ code, name, regulator }))
}

const counts = new WeakMap<World, { minute: number; byAccount: Map<number, number> }>()

function mayCount(world: World, accountId: number, nowMs: number): boolean {
  const minute = Math.floor(nowMs / 60_000)
  const known = counts.get(world)
  const { byAccount } = known?.minute === minute ? known : { byAccount: new Map<number, number>() }
  const count = (byAccount.get(accountId) ?? 0) + 1
  byAccount.set(accountId, count)
  counts.set(world, { minute, byAccount })
  return count <= searchesPerMinuteMax
}
