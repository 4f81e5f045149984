import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import { changedFilesIn, type Labels } from '../scripts/observation-quality/labelled-sites.ts'

type ScriptedSite = { form: string; responses: object[]; labels: Labels }

const folder = join(import.meta.dirname, 'scripted-sites')
const sitesOf = (set: string) =>
  readdirSync(join(folder, set), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => ({
      name,
      site: load(readFileSync(join(folder, set, name, 'site.yaml'), 'utf8')) as ScriptedSite,
    }))

test('the frozen half of the scripted sites is unchanged', () => {
  expect(changedFilesIn(join(folder, 'frozen'))).toEqual([])
})

test('a scripted site has its form, its root, and labels of five sections', () => {
  const sites = ['tuning', 'frozen'].flatMap(sitesOf)
  const sections = ['payment_methods', 'supplier_brands', 'legal_claims', 'web_presence', 'launch']
  const lacking = sites.filter(
    ({ site: { form, responses, labels } }) =>
      form === undefined || responses.length !== 1 || sections.some(section => labels[section] === undefined),
  )
  expect(lacking.map(({ name }) => name)).toEqual([])
  expect(sites.length).toBeGreaterThanOrEqual(40)
})
