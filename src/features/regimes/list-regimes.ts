import { hasPlausibleYear, yearMax, yearMin } from '@baize/names'
import { Type } from 'typebox'
import { wrongValue } from '../../core/failure.ts'
import type { Static } from '../../core/operation.ts'
import { closedObject, instant } from '../../core/schema.ts'
import { marketInput } from '../inputs.ts'
import { defineOperation } from '../operation.ts'
import example from './list-regimes.example.json' with { type: 'json' }
import { readRegimes } from './regimes-store.ts'
import { regime } from './schemas.ts'

const takes = 'a day, or an ISO 8601 time with an offset'
/** A `+` that is not encoded arrives as a blank. */
const dayOrTime = '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[-+ ]\\d{2}:\\d{2}))?$'

const query = closedObject({
  market: Type.Optional(marketInput('The market; without it, all.')),
  as_of: Type.Optional(
    Type.String({
      pattern: dayOrTime,
      takes,
      description:
        'A day (`2026-10-01`) or an ISO 8601 time with an offset: the regimes in force then, by what is ' +
        'known now. Without it, also those that ended and those that are announced.',
      examples: ['2026-10-01'],
    }),
  ),
  known_after: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'Regimes that this service published or closed after this time, ISO 8601 with an offset. Closed ' +
        'ones have `known_to`.',
    }),
  ),
})

type Input = Static<typeof query>

export const listRegimes = defineOperation({
  name: 'list_regimes',
  method: 'GET',
  path: '/v1/regimes',
  tag: 'Coverage',
  section: '§2.2',
  summary: 'What the law of each market allows, by day',
  description: `The regimes of markets: what gambling is allowed, since which day, and where that is
published. Two people of staff enter and approve each. Free. A register may list operators of a market where
gambling is prohibited today: a verdict says \`licensed\`, and its \`licensed_by\` has the regime beside it. A
market without a regime is not described; it is not \`open\`.`,
  query,
  data: closedObject({
    regimes: Type.Array(regime),
    as_of: instant({ description: 'The time that `as_of` asks for: the end of a day, in UTC; else now.' }),
  }),
  prices: [],
  failures: [],
  demo: [{ title: 'The regimes of all markets', query: {} }],
  example,
  async quote({ world, now }, input: Input) {
    const { market, as_of: asked, known_after: after } = input
    const asOf = asked === undefined ? now : momentOf(asked, now)
    const deliver = async () => {
      const regimes = await readRegimes(world.replica, {
        market,
        ...(asked === undefined ? {} : { asOf: asOf.toISOString().slice(0, 10) }),
        ...(after === undefined ? {} : { knownAfter: plausible('known_after', new Date(after)) }),
      })
      return { data: { regimes, as_of: asOf.toISOString() }, charges: [] }
    }
    return { ceiling: 0, deliver }
  },
})

/** Reads a day as its end, and the current day as now. */
function momentOf(text: string, now: Date): Date {
  if (text === now.toISOString().slice(0, 10)) return now
  const isDay = text.length === '2026-10-01'.length
  const moment = new Date(isDay ? `${text}T23:59:59.999Z` : text.replace(' ', '+'))
  const isReal = !isDay || (!Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text))
  if (!isReal) throw wrongValue('as_of', takes)
  return plausible('as_of', moment)
}

function plausible(parameter: string, moment: Date): Date {
  if (!hasPlausibleYear(moment)) throw wrongValue(parameter, `a time from ${yearMin} to ${yearMax}`)
  return moment
}
