import { setImmediate } from 'node:timers/promises'
import { domainInputCharactersMax } from '@baize/names'
import { Type } from 'typebox'
import type { Static } from '../../core/operation.ts'
import { closedObject } from '../../core/schema.ts'
import { type DomainList, readDomainList, unresolvedInput } from '../domain-list.ts'
import { type Context, defineOperation } from '../operation.ts'
import changeExample from './change-portfolio.example.json' with { type: 'json' }
import { notifyInput, notifySecret } from './notify.ts'
import { type Writing, writePortfolio } from './portfolios-store.ts'
import putExample from './put-portfolio.example.json' with { type: 'json' }
import { membersMax, note, params, position, unknownPortfolio } from './schemas.ts'

const bodyBytesMax = 8 * 1024 * 1024
/** Reading a domain takes about 7 µs, and other requests wait meanwhile. */
const readAtOnce = 500

const domains = (description: string) =>
  Type.Array(Type.String({ maxLength: domainInputCharactersMax }), {
    maxItems: membersMax,
    description,
    examples: [['luckyotter.example']],
  })

const putBody = closedObject({
  domains: domains('URLs or hosts. Each is normalised to its registrable domain.'),
  note: Type.Optional(note),
  notify: Type.Optional(notifyInput),
})

const patchBody = closedObject({
  add: Type.Optional(domains('URLs or hosts to add. One that is already a member stays as it is.')),
  remove: Type.Optional(domains('URLs or hosts to remove. One that is also in `add` stays.')),
  note: Type.Optional(note),
  notify: Type.Optional(notifyInput),
})

const data = closedObject({
  name: Type.String(),
  size: Type.Integer({ description: 'The number of members now.' }),
  added: Type.Integer({ description: 'Members that were added.' }),
  removed: Type.Integer({ description: 'Members that were removed.' }),
  unresolved: Type.Array(unresolvedInput, {
    description: 'Inputs that are not domains. Those of `remove` are counted after those of `add`.',
  }),
  position,
  notify: notifySecret,
})

const written = {
  query: closedObject({}),
  params,
  tag: 'Portfolios',
  section: 'contract section 19',
  bodyBytesMax,
  recorded: [],
  data,
  prices: [],
  demo: [],
} as const

const bodyWords = `The body may have ${bodyBytesMax / 1024 / 1024} MiB, also after unpacking: send it with
\`Content-Encoding: gzip\` if you like. Usage records do not store the portfolio's name or its domains.`

export const putPortfolio = defineOperation({
  ...written,
  name: 'put_portfolio',
  method: 'PUT',
  path: '/v1/portfolios/{name}',
  summary: 'Create or replace a portfolio',
  description: `Stores a list of sites to watch, for \`GET /v1/portfolios/{name}/changes\`. Members that are
in the former list, too, stay as they are; others are removed. \`note\` and \`notify\` stay unless they are
sent. Invalid inputs are listed in \`unresolved\`. An account may have 100 portfolios with 1,000,000 members.
${bodyWords}`,
  body: putBody,
  created: 'Portfolio created',
  failures: ['portfolio_limit'],
  example: putExample,

  quote: async (
    context,
    { name, domains, note, notify }: Static<typeof params> & Static<typeof putBody>,
  ) => ({
    ceiling: 0,
    deliver: async () => {
      const list = await readDomains(domains)
      return write(context, name, { note, notify, list, remove: null })
    },
  }),
})

export const changePortfolio = defineOperation({
  ...written,
  name: 'change_portfolio',
  method: 'PATCH',
  path: '/v1/portfolios/{name}',
  summary: 'Add and remove members of a portfolio',
  description: `Adds and removes sites, and changes \`note\` and \`notify\` if they are sent. ${bodyWords}`,
  body: patchBody,
  failures: ['not_found', 'portfolio_limit'],
  example: changeExample,

  quote: async (context, input: Static<typeof params> & Static<typeof patchBody>) => ({
    ceiling: 0,
    deliver: async () => {
      const { name, add = [], remove = [], note, notify } = input
      const list = await readDomains(add)
      const removed = await readDomains(remove, add.length)
      list.unresolved.push(...removed.unresolved)
      return write(context, name, {
        note,
        notify,
        list,
        remove: [...removed.distinct].filter(each => !list.distinct.has(each)),
      })
    },
  }),
})

/** Reads a long list in steps, so that other requests are answered between them. */
async function readDomains(inputs: readonly string[], first = 0): Promise<DomainList> {
  const list = readDomainList([])
  for (let at = 0; at < inputs.length; at += readAtOnce) {
    readDomainList(inputs.slice(at, at + readAtOnce), list, first + at)
    list.resolved.length = 0 // nothing reads these, which are larger than the list itself
    await setImmediate()
  }
  return list
}

type Wanted = Pick<Writing, 'note' | 'notify'> & { list: DomainList; remove: string[] | null }

async function write({ world, caller, now }: Context, name: string, wanted: Wanted) {
  const key = { accountId: caller.accountId, name }
  const { list, ...rest } = wanted
  const changes = { ...rest, add: list.distinct, now }
  const written = await world.database.transaction().execute(tx => writePortfolio(tx, key, changes))
  if (written === null) throw unknownPortfolio(name)
  const { isNew, ...counts } = written
  return {
    data: { name, ...counts, unresolved: list.unresolved },
    ...(isNew ? { isCreated: true, message: 'Portfolio created' } : {}),
    charges: [],
  }
}
