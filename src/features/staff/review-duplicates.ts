import { Type } from 'typebox'
import { closedObject } from '../../core/schema.ts'
import { keepDistinct, listDuplicates, mergeCompanies, readSides } from '../companies/index.ts'
import { type AnswerOf, defineSessionOperation } from '../session-operation.ts'
import { asProblem } from './as-problem.ts'

const pairsPerPage = 20

const listPairs = defineSessionOperation({
  name: 'list_duplicates',
  method: 'GET',
  path: '/dashboard/staff/duplicates',
  access: 'staff',
  summary: 'Pairs of Companies that may be one party, the highest score first',
  query: closedObject({ after: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })) }),
  failures: [],
  async answer({ world }, { after = 0 }) {
    const found = await listDuplicates(world, { limit: pairsPerPage + 1, after })
    const candidates = found.candidates.slice(0, pairsPerPage)
    const sides = await readSides(
      world.database,
      candidates.flatMap(({ pair }) => pair),
    )
    return {
      pairs: candidates.flatMap(({ pair: [one, other], score, for: reasons, against, found_at }) => {
        const [left, right] = [sides.get(one), sides.get(other)]
        if (left === undefined || right === undefined) return []
        return [{ score, for: reasons, against, found_at: found_at.toISOString(), companies: [left, right] }]
      }),
      lost_links: found.lost_links.map(link => ({ ...link, lost_at: link.lost_at.toISOString() })),
      before: after === 0 ? null : Math.max(after - pairsPerPage, 0),
      after: found.candidates.length > pairsPerPage ? after + pairsPerPage : null,
    }
  },
})

export type DuplicateList = AnswerOf<typeof listPairs>

const ref = Type.String({ minLength: 1, maxLength: 64 })
const declared = {
  method: 'POST' as const,
  access: 'staff' as const,
  stepUp: true as const,
  params: closedObject({ company_ref: ref, other_ref: ref }),
  failures: ['invalid_parameter' as const],
}
const reasonField = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' })

const merge = defineSessionOperation({
  ...declared,
  name: 'merge_duplicates',
  path: '/dashboard/staff/duplicates/{company_ref}/{other_ref}/merge',
  summary: 'Merge the second Company of a pair into the first',
  form: closedObject({ reason: reasonField }),
  answer: ({ world, session, now }, { company_ref: into, other_ref: from, reason }) =>
    asProblem('reason', () => mergeCompanies(world, { from, into, reason, now, by: session })),
})

const distinguish = defineSessionOperation({
  ...declared,
  name: 'distinguish_duplicates',
  path: '/dashboard/staff/duplicates/{company_ref}/{other_ref}/distinct',
  summary: 'Remember that two Companies are different parties',
  form: closedObject({ reason: reasonField }),
  answer: ({ world, session, now }, { company_ref: one, other_ref: other, reason }) =>
    asProblem('reason', async () => {
      await keepDistinct(world, { one, other, reason, now, by: session })
      return { pair: [one, other] }
    }),
})

export const duplicateReviewOperations = [listPairs, merge, distinguish]
