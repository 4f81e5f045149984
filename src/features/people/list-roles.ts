import { Type } from 'typebox'
import { closed, oneOf } from '../../core/schema.ts'
import { defineOperation } from '../operation.ts'
import { countCoverage } from './count-coverage.ts'
import example from './list-roles.example.json' with { type: 'json' }
import { roleGlossary, roleKeys } from './role-glossary.ts'
import { roleSynonyms } from './role-synonyms.ts'
import { jobFunctions } from './schemas.ts'
import { seniorities } from './seniority-words.ts'

const daySeconds = 24 * 60 * 60

export const listRoles = defineOperation({
  name: 'list_roles',
  method: 'GET',
  path: '/v1/people/roles',
  tag: 'Companies',
  section: '§4.8',
  summary: 'The role glossary of the people filter',
  description: `The keys of the \`role\` filter: their meaning, the titles they match and the number of
matching people across all Companies. Free, and cacheable for a day.`,
  query: Type.Object({}, closed),
  data: Type.Object(
    {
      roles: Type.Array(
        Type.Object(
          {
            key: oneOf(roleKeys, { named: 'RoleKey', description: 'A value of `role`.' }),
            description: Type.String(),
            seniority: oneOf([...seniorities, 'any'], {
              description: 'The seniority; `lead` and `director` include all higher levels.',
            }),
            function: oneOf([...jobFunctions, 'any']),
            synonyms: Type.Array(Type.String(), {
              description:
                'Spellings that match, as whole words; case and accents are ignored. Other forms and word ' +
                'orders match too.',
            }),
            coverage: Type.Object(
              {
                title: Type.Integer({ description: 'People whose job title matches.' }),
                headline_only: Type.Integer({
                  description: 'People without a title whose headline matches.',
                }),
                measured_at: Type.String({ format: 'date' }),
              },
              closed,
            ),
          },
          { ...closed, named: 'GlossaryRole' },
        ),
      ),
    },
    closed,
  ),
  prices: [],
  cacheSeconds: daySeconds,
  failures: [],
  demo: [{ title: 'The glossary', query: {} }],
  example,

  async quote({ world, now }) {
    const coverages = await countCoverage(world, now)
    const roles = roleKeys.map(key => {
      const { description, seniority, function: jobFunction } = roleGlossary[key]
      return {
        key,
        description,
        seniority,
        function: jobFunction,
        synonyms: [...roleSynonyms[key]],
        coverage: coverages[key],
      }
    })
    return { ceiling: 0, deliver: async () => ({ data: { roles }, charges: [] }) }
  },
})
