import { isStatementTimeout } from '@baize/postgres'
import { Failure, quoteValue } from '../../../core/failure.ts'
import type { AnyOperation } from '../../../core/operation.ts'
import type { World } from '../../../database/open.ts'
import type { Context } from '../../operation.ts'

type Preview = Pick<AnyOperation<World>, 'path' | 'canonical' | 'quote'>

/** An exact look-up that found nothing. */
export type Missed = {
  /** The problem, without the value, such as `No Company has the name`. */
  problem: string
  value: string
  /** The filters of the search that may find it. */
  preview?: Preview
  filters?: Record<string, string | undefined>
}

/** Returns the 404 of an exact look-up, with the sent value and what the free preview of a search finds. */
export async function notFoundExactly(
  context: Context,
  { problem, value, preview, filters = {} }: Missed,
): Promise<Failure> {
  const sent = Object.entries(filters).filter((each): each is [string, string] => each[1] !== undefined)
  const found = preview === undefined ? null : await findSimilar(context, preview, Object.fromEntries(sent))
  return new Failure('not_found', {
    message: `${problem} ${quoteValue(value)}.${found === null ? '' : ` ${sentenceOf(found)}`}`,
    details: { value, ...(found === null ? {} : { preview: found }) },
  })
}

type Found = {
  /** The path of the preview with the filters. */
  href: string
  total_count: number
  /** The first rows of the preview, masked. */
  sample: { company_name: string | null }[]
  next_action: unknown
}

function sentenceOf({ total_count: total, sample }: Found): string {
  if (total === 0) return 'The free preview of a search finds nothing similar.'
  const names = sample.flatMap(({ company_name: name }) => name ?? [])
  return `The free preview of a search finds ${total}${names.length === 0 ? '' : `: ${names.join(', ')}`}.`
}

/** Returns null if the preview refuses the value or takes too long; the look-up still found nothing. */
async function findSimilar(
  context: Context,
  { path, canonical, quote }: Preview,
  sent: Record<string, string>,
): Promise<Found | null> {
  try {
    const { deliver } = await quote(context, canonical?.(sent) ?? sent, sent)
    const { written = {} } = await deliver()
    const [total_count, sample, next_action] = ['total_count', 'sample', 'next_action'].map(member =>
      JSON.parse(String(written[member])),
    )
    return { href: `${path}?${new URLSearchParams(sent)}`, total_count, sample, next_action }
  } catch (error) {
    if (error instanceof Failure || isStatementTimeout(error)) return null
    throw error
  }
}
