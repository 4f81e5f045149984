import { Type } from 'typebox'
import type { Static } from '../../core/operation.ts'
import { closedObject } from '../../core/schema.ts'
import { maxCredits } from '../inputs.ts'
import { peopleCursorCharactersMax } from './people-pages.ts'

const limitMax = 25
export const limitDefault = 10
export const ageDaysMax = 365
const refCharactersMax = 64
const roleCharactersMax = 200

export const params = closedObject({
  company_ref: Type.String({
    minLength: 1,
    maxLength: refCharactersMax,
    description: 'The Company. The ref of a merged Company returns the Company that it was merged into.',
  }),
})

export const query = closedObject({
  role: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: roleCharactersMax,
      description:
        'Keys of the role glossary (`GET /v1/people/roles`) or words of a title, separated by `OR` or ' +
        'commas. Default: everyone.',
      examples: ['ceo', 'compliance,payments', 'head of casino OR product_leads'],
    }),
  ),
  count_only: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Return only the number of people per glossary key, of every key with any `role`. Free.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limitMax,
      default: limitDefault,
      description: 'Maximum number of contacts to return and to charge.',
    }),
  ),
  max_age_days: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: ageDaysMax,
      default: ageDaysMax,
      description:
        'Contacts fetched longer ago are `stale`. If everybody on file is older, and always with 0, the ' +
        'operator’s source of contacts is asked first, if there is one; `refresh` has the outcome, and ' +
        'whom it returns is fresh on all pages.',
    }),
  ),
  allow_stale: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'false: contacts past `max_age_days` are neither returned nor charged.',
    }),
  ),
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: peopleCursorCharactersMax,
      description: 'The `next_cursor` of the previous page. `limit` may change, filters may not.',
    }),
  ),
  max_credits: Type.Optional(maxCredits),
})

export type PeopleInput = Static<typeof params> & Static<typeof query>
