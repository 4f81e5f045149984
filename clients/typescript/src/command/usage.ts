import { Baize } from '../index.ts'
import { type Command, grouped } from './command.ts'
import { formatOf, formatOptions, render, tableFromFields, write } from './output.ts'

export const usage: Command = {
  summary: 'The balance of your account, free; its single requests are in the dashboard',
  usage: '[--json | --csv]',
  options: formatOptions,
  async run(_args, flags) {
    const format = formatOf(flags)
    const account = await new Baize().getAccount()
    const number = (value: number | null) =>
      value === null ? '' : format === 'table' ? grouped(value) : String(value)
    const { plan, credits_granted, credits_used, credits_reserved, available_credits } = account
    const fields = {
      plan,
      credits_granted: credits_granted === null && format === 'table' ? 'no quota' : number(credits_granted),
      credits_used: number(credits_used),
      credits_reserved: number(credits_reserved),
      available_credits: number(credits_granted === null ? null : available_credits),
    }
    await write(render(format, tableFromFields(format, fields), { values: account }))
    return 0
  },
}
