/**
 * Decides which company holds a brand. In the Ministry's file a company fills the first row of its brands;
 * the cells below are merged and blank. A mirror filled the gaps of lost rows with the company above.
 *
 * Rows are ordered by requirement and copied downward: a row under requirement 7 belongs to 7 or to a lost
 * company after it. If the next requirement is 8, nothing was lost, and the holder is proven. Otherwise the
 * domain is authorised without a holder: a wrong holder costs more than a missing one. A requirement allows
 * three brands (Portaria SPA/MF 827/2024), so a larger block has a known holder only in its first row.
 */
import type { BrandLine, BrandList } from './brand-lines.ts'

const brandsPerRequirementMax = 3

/** Returns, for each line, the line that names its holder; null if the holder is unproven. */
export function provenHolders({ form, lines }: Pick<BrandList, 'form' | 'lines'>): (BrandLine | null)[] {
  return form === 'copied' ? copiedHolders(lines) : printedHolders(lines)
}

/** Returns the requirements in the cell, such as `0059/2024`. Most cells have one, some have several. */
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

/** Exceeds any requirement number, so that numbers of different years are never consecutive. */
const requirementsPerYearMax = 1_000_000

/** Returns the position of a requirement, or NaN unless the cell has exactly one. NaN equals no number. */
function numberOf(line: BrandLine): number {
  const [only, more] = requirementsOf(line)
  if (only === undefined || more !== undefined) return Number.NaN
  const [number, year] = only.split('/').map(Number) as [number, number]
  return year * requirementsPerYearMax + number
}
