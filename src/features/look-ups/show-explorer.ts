import { Type } from 'typebox'
import { closedObject } from '../../core/schema.ts'
import { prices } from '../../metering/pricing.ts'
import { accountFigures } from '../account/index.ts'
import { observationSections } from '../domains/index.ts'
import { newNonce } from '../send-request.ts'
import { type AnswerOf, accountOf, defineSessionOperation } from '../session-operation.ts'

export const lookUpRoles = ['owner', 'member'] as const

export const showExplorer = defineSessionOperation({
  name: 'show_explorer',
  method: 'GET',
  path: '/dashboard/explorer',
  access: lookUpRoles,
  summary: 'The forms of look-ups, with their prices',
  query: closedObject({ domain: Type.Optional(Type.String({ maxLength: 2_048 })) }),
  failures: [],
  async answer(context) {
    const figures = await context.world.primary.readByKey(
      accountFigures,
      String(accountOf(context).accountId),
    )
    const granted = figures?.granted ?? null
    return {
      available_credits:
        figures === undefined || granted === null ? null : granted - figures.used - figures.reserved,
      prices: {
        verdict: prices['domain.verdict'].credits,
        launch_profile: prices['domain.operator_launch_profile'].credits,
        check: prices['domain.refresh'].credits,
        company: prices['company.profile'].credits,
        firmographics: prices['company.firmographics'].credits,
        license: prices['license.profile'].credits,
      },
      sections: [...observationSections],
      nonce: newNonce(),
    }
  },
})

export type Explorer = AnswerOf<typeof showExplorer>
