import type { World } from '../database/open.ts'
import { accountStatement, type Days, type StatementReader, statementCsv } from '../features/account/index.ts'
import { onOneLine } from './output.ts'
import type { Write } from './write-text.ts'

export type StatementFormat = 'text' | 'csv' | 'json'

export function printStatement(
  world: World,
  accountRef: string,
  { format, ...days }: Days & { format: StatementFormat },
  write: Write,
): Promise<void> {
  return accountStatement(world, accountRef, days, readers[format](write))
}

const readers: Record<StatementFormat, (write: Write) => StatementReader> = {
  text: asText,
  csv: statementCsv,
  json: asJson,
}

function asJson(write: Write): StatementReader {
  let separator = ''
  return {
    head: head => write(`${JSON.stringify(head).slice(0, -1)},"entries":[`),
    async entry(entry) {
      await write(`${separator}${JSON.stringify(entry)}`)
      separator = ','
    },
    foot: foot => write(`],${JSON.stringify(foot).slice(1)}\n`),
  }
}

const dateWidth = 24
const kindWidth = 7
const amountWidth = 12

function asText(write: Write): StatementReader {
  type Line = { moment: string; kind: string; credits?: string; balance: number | null; rest?: string }
  const line = ({ moment, kind, credits = '', balance, rest = '' }: Line) => {
    const amounts = `${credits.padStart(amountWidth)}  ${String(balance ?? '-').padStart(amountWidth)}`
    return write(
      `${`${moment.padEnd(dateWidth)}  ${kind.padEnd(kindWidth)}  ${amounts}  ${rest}`.trimEnd()}\n`,
    )
  }
  return {
    async head({ account_ref, name, plan, from, to, opening }) {
      const period = [from === null ? '' : ` from ${from}`, to === null ? '' : ` to ${to}`].join('')
      await write(`${account_ref}  ${onOneLine(name)}, plan ${plan}${period}\n`)
      const headings = [
        'recorded_at'.padEnd(dateWidth),
        'kind'.padEnd(kindWidth),
        'credits'.padStart(amountWidth),
        'balance'.padStart(amountWidth),
        'what',
      ]
      await write(`${headings.join('  ')}\n`)
      if (from !== null) await line({ moment: from, kind: 'opening', balance: opening.balance })
    },
    async entry(entry) {
      const { recorded_at, kind, credits, balance, price_key, units, endpoint, request_id, note } = entry
      const what = price_key === null ? [] : [`${units} × ${price_key}`]
      const why = [endpoint, request_id, note].filter(word => word !== null)
      const sign = kind === 'grant' ? '+' : '-'
      await line({
        moment: recorded_at.toISOString(),
        kind,
        credits: `${sign}${credits}`,
        balance,
        rest: onOneLine([...what, ...why].join('  ')),
      })
    },
    async foot({ closing: { granted, used, reserved, balance } }) {
      const reservations = reserved === null ? '' : `, ${reserved} reserved`
      const rest = `${granted} granted, ${used} used${reservations}`
      await line({ moment: '', kind: 'closing', balance, rest })
    },
  }
}
