import { regimeStates, regimeVerticals } from '@baize/registers/entries'
import { type Static, Type } from 'typebox'
import { closedObject, instant, namedObject, nullable, oneOf } from '../../core/schema.ts'
import { market } from '../value-sets.ts'

const regimeState = oneOf(regimeStates, {
  named: 'RegimeState',
  description:
    '`licensed_only`: only holders of a license may offer it. `monopoly`: one state operator alone. ' +
    '`suspended`: stopped for a time. `not_regulated`: no law covers it. `opens`: announced to open on ' +
    '`from`.',
})
const vertical = oneOf(regimeVerticals, { named: 'RegimeVertical' })
const day = (description: string) => Type.String({ format: 'date', description })

export const regime = namedObject('Regime', {
  regime_ref: Type.String(),
  market: market(),
  vertical,
  state: regimeState,
  from: day('The first day in force.'),
  to: nullable(day('The last day in force; null: no end is known.')),
  source_url: Type.String({ description: 'Where the law or the announcement is published.' }),
  note: nullable(Type.String({ maxLength: 300 })),
  known_from: instant({ description: 'When this service published it.' }),
  known_to: nullable(instant(), {
    description: 'When it was corrected, ended or taken back here; null: it is known now.',
  }),
})
export type Regime = Static<typeof regime>

/** The member `regime` of a market in a verdict. */
export const regimeInForce = closedObject(
  { vertical, state: regimeState, from: day('The first day in force.'), source_url: Type.String() },
  {
    named: 'RegimeInForce',
    description:
      'What the law of the market allows today, if a regime of all verticals other than `open` and ' +
      '`licensed_only` is in force; else absent. It does not change the verdict.',
  },
)
export type RegimeInForce = Static<typeof regimeInForce>
