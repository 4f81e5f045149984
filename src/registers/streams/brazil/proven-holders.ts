/**
 * Whose brand is it? The list is a spreadsheet in which a company fills the first row of its brands, its cells merged over
 * the rows below. A mirror lost the cells of companies with several brands, and some rows too, and filled every gap with
 * the company above: in its file one company has eight brands, where a requirement allows three (Portaria SPA/MF
 * 827/2024). Counting to three is not enough: there are wrong groups of three, and one of which even the first row is
 * another company's, because the rows of the company itself are gone.
 *
 * What the file does prove lies in its numbers. The list is in the order of requirements, and a copy goes downward. So a
 * row under requirement 7 belongs to 7 or to a lost company after it; if the next requirement in the file is 8, there is
 * none between. Which companies there are needs no proof: every row names one that is on the list, a copied one too.
 * Where a number is missing, at the end of the list, and throughout a file that is not in order, nothing is
 * proven: the domain is authorised, and has no holder here. A wrong one would cost more than a missing one.
 *
 * In the Ministry's own file nothing is copied: a blank cell is a merged one, and a row below belongs to the company
 * above. A block of more brands than its requirements allow shows that a company was lost there too; then the row that
 * names the company is the only one that it is known to hold.
 */
import type { BrandLine, BrandList } from './brand-lines.ts'

const brandsPerRequirementMax = 3

/** The line that names the holder, for each line of the list; null where nothing proves one. */
export function provenHolders({ form, lines }: Pick<BrandList, 'form' | 'lines'>): (BrandLine | null)[] {
  return form === 'copied' ? copiedHolders(lines) : printedHolders(lines)
}

/** The requirements that the cell names, as `0059/2024`: mostly one, of some companies several. */
export function requirementsOf({ requirement }: BrandLine): string[] {
  return (requirement.match(/\d+(?:\/\d{4})?/g) ?? []).filter(number => number.includes('/'))
}

const ofCompany = ['requirement', 'company', 'cnpj'] as const
type Block = [BrandLine, ...BrandLine[]]

function copiedHolders(lines: readonly BrandLine[]): (BrandLine | null)[] {
  const blocks = blocksOf(lines, (line, first) => ofCompany.some(name => line[name] !== first[name]))
  const numbers = blocks.map(([first]) => numberOf(first))
  const isInOrder = numbers.every(
    (number, index) => index === 0 || number > (numbers[index - 1] ?? Number.NaN),
  )
  return blocks.flatMap((block, index) => {
    const isProven = isInOrder && numbers[index + 1] === (numbers[index] ?? 0) + 1 && hasFewBrands(block)
    return block.map(() => (isProven ? block[0] : null))
  })
}

function printedHolders(lines: readonly BrandLine[]): (BrandLine | null)[] {
  const blocks = blocksOf(lines, line => ofCompany.some(name => line[name] !== ''))
  return blocks.flatMap(block => {
    const [first] = block
    const isNamed = ofCompany.every(name => first[name] !== '')
    return block.map(line => (isNamed && (line === first || hasFewBrands(block)) ? first : null))
  })
}

/** Lines that stand together, up to the one with which another block begins. */
function blocksOf(
  lines: readonly BrandLine[],
  begins: (line: BrandLine, first: BrandLine) => boolean,
): Block[] {
  const blocks: Block[] = []
  for (const line of lines) {
    const last = blocks.at(-1)
    if (last === undefined || begins(line, last[0])) blocks.push([line])
    else last.push(line)
  }
  return blocks
}

function hasFewBrands(block: Block): boolean {
  const brands = new Set(block.map(line => line.brand.toLowerCase()).filter(brand => brand !== ''))
  return brands.size <= brandsPerRequirementMax * requirementsOf(block[0]).length
}

/** Larger than any number of a requirement, so that years follow each other without touching. */
const requirementsPerYearMax = 1_000_000

/** Where the requirement stands in the list; NaN, which is in no order, for a cell of none or several. */
function numberOf(line: BrandLine): number {
  const [only, more] = requirementsOf(line)
  if (only === undefined || more !== undefined) return Number.NaN
  const [number, year] = only.split('/').map(Number) as [number, number]
  return year * requirementsPerYearMax + number
}
