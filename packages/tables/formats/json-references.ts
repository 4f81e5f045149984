/**
 * Reads rows from an array whose items refer to each other by their index, as pages of Nuxt store data: the
 * item `{"name": 7}` has the name that stands at 7.
 */
import { Refusal } from '../source/source-file.ts'

const depthMax = 10
const valuesPerRowMax = 10_000
/** Marks of a value that a page observes. The value itself is the second item. */
const wrappers = new Set(['Reactive', 'ShallowReactive', 'Ref', 'ShallowRef'])

/** Returns the rows at the path, which begins in the first item that has its first member. */
export function referencedRows(fileName: string, whole: unknown, path: string): unknown[] {
  if (!Array.isArray(whole)) throw new Refusal(`"${fileName}": expected an array of values, found none`)
  const members = path.split('/')
  let found: unknown = whole.find(each => isObject(each) && Object.hasOwn(each, members[0] ?? ''))
  for (const member of members) found = isObject(found) ? unwrapped(whole, found[member]) : undefined
  if (!Array.isArray(found)) throw new Refusal(`"${fileName}": expected rows at ${path}, found none`)
  return found.map((index, row) => {
    const room = { left: valuesPerRowMax }
    const value = valueAt(whole, index, room)
    if (room.left >= 0) return value
    throw new Refusal(`"${fileName}": row ${row + 1} refers to more values than a row can have`)
  })
}

function unwrapped(items: readonly unknown[], index: unknown): unknown {
  const item = typeof index === 'number' ? items[index] : undefined
  return Array.isArray(item) && wrappers.has(item[0]) ? items[item[1]] : item
}

function valueAt(items: readonly unknown[], index: unknown, room: { left: number }, depth = 0): unknown {
  room.left -= depth > depthMax ? valuesPerRowMax + 1 : 1
  if (room.left < 0) return null
  const item = unwrapped(items, index)
  if (Array.isArray(item)) return item.map(each => valueAt(items, each, room, depth + 1))
  if (!isObject(item)) return item ?? null
  return Object.fromEntries(
    Object.entries(item).map(([name, each]) => [name, valueAt(items, each, room, depth + 1)]),
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
