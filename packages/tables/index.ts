/**
 * Reads files by descriptions into rows of named cells. It uses no database, no network, and no knowledge
 * of their content.
 */

export { type FieldChecks, fieldChecks } from './description/check-fields.ts'
export { shapeChecker } from './description/check-shape.ts'
export { type FileForm, type Format, formats } from './description/file-forms.ts'
export type { DescriptionProblem, LocatedProblem } from './description/locate.ts'
export { checkTable, readTableDescription, readYaml } from './description/read-description.ts'
export * from './description/schema-parts.ts'
export * from './description/shapes.ts'
export { type Columns, formlessKeys, type TableDescription, tableKeys } from './description/table-schema.ts'
export * from './fields/printed-dates.ts'
export { readDate, readDay } from './fields/read-date.ts'
export * from './fields/read-fields.ts'
export { besideRowsNotice } from './formats/beside-rows.ts'
export { elementsOf, parseHtmlFile, refuseOpenEnd } from './formats/html-page.ts'
export { batchLinesMax, compileSearch, matchLines } from './formats/line-pattern.ts'
export { readElements } from './formats/read-elements.ts'
export { attributesIn, cellText, rowsIn } from './formats/table-element.ts'
export { filledCells, incompleteNotice, readTable, type TableReading } from './read-table.ts'
export { extendTableApart, readSitesApart } from './sites/read-sites-apart.ts'
export { boundedTree } from './source/bounded-tree.ts'
export * from './source/source-file.ts'
export * from './source/source-table.ts'
export * from './source/source-text.ts'
