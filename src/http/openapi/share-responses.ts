import { reference } from './components.ts'

type Responses = Record<string, Record<string, unknown>>
type Paths = Record<string, Record<string, { responses: Responses }>>

/** Our own keyword: the component's name of a response that several operations may have. */
const ownKeyword = 'shared'

/** Moves responses that several operations have to the components. Two of one name are an error. */
export function shareResponses(paths: Paths): { paths: Paths; responses: Record<string, object> } {
  const uses = new Map<string, { text: string; count: number }>()
  for (const { name, text } of namedResponses(paths)) {
    const { text: first, count } = uses.get(name) ?? { text, count: 0 }
    if (first !== text) throw new Error(`two responses have the name ${name}`)
    uses.set(name, { text, count: count + 1 })
  }
  const shared: Record<string, object> = {}
  const place = ({ [ownKeyword]: name, ...response }: Record<string, unknown>): object => {
    if (typeof name !== 'string' || uses.get(name)?.count === 1) return response
    shared[name] = response
    return reference('responses', name)
  }
  const placed = mapValues(paths, methods =>
    mapValues(methods, operation => ({ ...operation, responses: mapValues(operation.responses, place) })),
  )
  return { paths: placed as Paths, responses: shared }
}

function* namedResponses(paths: Paths): Generator<{ name: string; text: string }> {
  for (const methods of Object.values(paths))
    for (const { responses } of Object.values(methods))
      for (const response of Object.values(responses)) {
        const name = response[ownKeyword]
        if (typeof name === 'string') yield { name, text: JSON.stringify(response) }
      }
}

const mapValues = <In, Out>(record: Record<string, In>, to: (value: In) => Out): Record<string, Out> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]))
