/** Checks the shape of one rule from YAML, and reports each problem with its place. */

import { foldText, shown } from '@baize/names'
import type { Condition } from './rule.ts'

const depthMax = 6
const hostPattern = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}(?:\/\S*)?$/

const phraseKinds = new Set([
  'link_rel',
  'link_text',
  'label',
  'icon',
  'text',
  'payment_text',
  'title',
  'cookie',
  'script',
  'listed',
])
const namedKinds = new Set(['meta', 'header', 'json_ld'])
const kinds = ['all', 'any', 'not', 'host', 'link', ...phraseKinds, ...namedKinds, 'input', 'lang', 'status']

type Checked = { value: Record<string, unknown>; condition: Condition | null; problems: string[] }

export function checkRule(rule: unknown): Checked {
  if (!isMapping(rule))
    return { value: {}, condition: null, problems: ['must have "value" and "any" or "all"'] }
  const { value, any, all, ...others } = rule
  const problems = Object.keys(others).map(key => `the key ${shown(key)} is unknown`)
  if (!isMapping(value)) problems.push('"value" must be a mapping')
  if ((any === undefined) === (all === undefined)) problems.push('must have either "any" or "all"')
  const condition = any === undefined ? { all } : { any }
  problems.push(...problemsOf(condition, 0))
  return {
    value: isMapping(value) ? value : {},
    condition: problems.length === 0 ? (condition as Condition) : null,
    problems,
  }
}

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function problemsOf(condition: unknown, depth: number): string[] {
  const members = isMapping(condition) ? Object.entries(condition) : []
  const [member] = members
  if (member === undefined || members.length > 1)
    return [`each condition must have one member, found ${shown(members.map(([kind]) => kind).join(', '))}`]
  const [kind, operand] = member
  if (depth > depthMax) return ['conditions are nested too deep']
  if (kind === 'not') return problemsOf(operand, depth + 1)
  if (kind === 'all' || kind === 'any') {
    if (!Array.isArray(operand) || operand.length === 0) return [`"${kind}" must be a list of conditions`]
    return operand.flatMap(each => problemsOf(each, depth + 1))
  }
  return leafProblems(kind, operand)
}

function leafProblems(kind: string, operand: unknown): string[] {
  if (kind === 'text_characters_below')
    return Number.isInteger(operand) ? [] : [`"${kind}" must be a whole number`]
  if (namedKinds.has(kind)) {
    if (!isMapping(operand) || Object.keys(operand).length === 0) return [`"${kind}" must name members`]
    return Object.entries(operand).flatMap(([name, list]) =>
      listProblems(`${kind}.${name}`, list, text => text === '*' || foldText(text).length > 0),
    )
  }
  if (kind === 'status') return listProblems(kind, operand, () => true, 'number')
  if (kind === 'lang') return listProblems(kind, operand, text => /^(?:\*|[a-z]{2,3})$/.test(text))
  if (kind === 'input') return listProblems(kind, operand, text => text === text.toLowerCase())
  if (kind === 'host' || kind === 'link') return listProblems(kind, operand, text => hostPattern.test(text))
  if (phraseKinds.has(kind)) return listProblems(kind, operand, text => foldText(text).length > 0)
  return [`the condition ${shown(kind)} is unknown; known are ${kinds.join(', ')}, text_characters_below`]
}

function listProblems(
  place: string,
  list: unknown,
  accepts: (text: string) => boolean,
  type: 'string' | 'number' = 'string',
): string[] {
  if (!Array.isArray(list) || list.length === 0) return [`"${place}" must be a list`]
  const wrong = list.filter(each => typeof each !== type || !accepts(each as string))
  return wrong.map(each =>
    typeof each === type
      ? `"${place}" has ${shown(each)}, which cannot match`
      : `"${place}" has ${shown(each)}; quote it, because it must be a ${type}`,
  )
}
