import { Baize, InvalidDomainError } from '../index.ts'
import { aboutNoRecord, type Command, credits, note, UsageError } from './command.ts'
import { formatOf, formatOptions, render, write } from './output.ts'
import { type VerdictRow, verdictTable } from './verdict-rows.ts'

/** Limits the requests that run at once. */
const atOnceMax = 4
const domainsMax = 100

export const verdict: Command = {
  summary: 'The verdicts of a few domains, at 1 credit each',
  usage: 'DOMAIN… [--json | --csv]',
  options: formatOptions,
  async run(domains, flags) {
    const format = formatOf(flags)
    if (domains.length === 0) throw new UsageError('Name a domain: baize-api verdict luckyotter.example')
    if (domains.length > domainsMax)
      throw new UsageError(
        `More than ${domainsMax} domains; write them into a file for "baize-api verdicts".`,
      )
    const { rows, charged, failure } = await resolveEach(domains)
    // Prints the paid verdicts after a failure, too.
    if (rows.length > 0) await write(render(format, verdictTable(rows, format === 'csv'), { values: rows }))
    if (failure !== null) throw failure
    if (format === 'table') {
      if (rows.some(row => 'verdict' in row && row.verdict === 'no_record')) note(`\n${aboutNoRecord}`)
      note(`${credits(charged)} charged.`)
    }
    return rows.some(row => 'code' in row) ? 1 : 0
  },
}

async function resolveEach(
  domains: readonly string[],
): Promise<{ rows: VerdictRow[]; charged: number; failure: unknown }> {
  const baize = new Baize()
  const rows: VerdictRow[] = []
  let charged = 0
  let failure: unknown = null
  const next = domains.entries()
  const work = async () => {
    for (const [index, input] of next) {
      if (failure !== null) return
      try {
        const { data, creditsCharged } = await baize.resolveDomain({ domain: input }).withResponse()
        rows[index] = { input, ...data }
        charged += creditsCharged ?? 0
      } catch (error) {
        if (error instanceof InvalidDomainError)
          rows[index] = { input, code: 'invalid_domain', message: error.reason }
        else failure ??= error
      }
    }
  }
  await Promise.all(Array.from({ length: atOnceMax }, work))
  return { rows: rows.filter(row => row !== undefined), charged, failure }
}
