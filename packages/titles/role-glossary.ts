/** Lists the roles that a title can have (words/roles.yaml, words/synonyms.yaml). */
import { patternsAt, textAt } from './words.ts'

export const roleKeys = [
  'ceo',
  'cto',
  'compliance',
  'payments',
  'affiliates',
  'marketing_leads',
  'product_leads',
  'decision_makers',
] as const
export type RoleKey = (typeof roleKeys)[number]

/** The seniorities, the highest first. */
export const seniorities = [
  'c_level',
  'founder_owner',
  'vp',
  'head',
  'director',
  'lead',
  'manager',
  'ic',
] as const
export type Seniority = (typeof seniorities)[number]

/** The functions. Executives and owners whose title names no other have `general_management`. */
export const jobFunctions = [
  'general_management',
  'affiliates',
  'compliance',
  'payments',
  'marketing',
  'product',
  'technology',
  'finance',
  'legal',
  'risk',
  'trading',
  'games',
  'data',
  'security',
  'sales',
  'customer_service',
  'people',
  'operations',
  'strategy',
] as const
export type JobFunction = (typeof jobFunctions)[number]

export type GlossaryRole = {
  key: RoleKey
  description: string
  /** The seniority of the role; `lead` and `director` include all higher levels. */
  seniority: Seniority | 'any'
  function: JobFunction | 'any'
  /** Typical spellings of the role. */
  synonyms: readonly string[]
}

let glossary: readonly GlossaryRole[] | undefined

export function roleGlossary(): readonly GlossaryRole[] {
  glossary ??= roleKeys.map(key => ({
    key,
    description: textAt(`roles.${key}.description`),
    seniority: textAt(`roles.${key}.seniority`) as GlossaryRole['seniority'],
    function: textAt(`roles.${key}.function`) as GlossaryRole['function'],
    synonyms: patternsAt(`synonyms.${key}`).flatMap(line => line.split(', ')),
  }))
  return glossary
}
