export { agedState, badge, sourceBadge, sourceStates, statusBadge, type Tone, verdictBadge } from './badge.ts'
export { barChart } from './bar-chart.ts'
export { defineTable, isChosen, tableFile } from './data-table.ts'
export { facts, figureList } from './facts.ts'
export {
  choices,
  field,
  form,
  hidden,
  marketField,
  passkeyPart,
  problemText,
  suggestions,
  viewOfForm,
  wasSentBelow,
} from './form.ts'
export { identifierName, identifierWords } from './identifiers.ts'
export { linkCommand } from './link-command.ts'
export {
  companyPath,
  domainLink,
  domainPath,
  inSentence,
  licensePath,
  marketLink,
  marketName,
  marketPath,
  searchPath,
  someOf,
} from './links.ts'
export { emptyState, noticeBox, steps } from './notice.ts'
export { boughtNote, forDevelopers, offerForm, olderPart, saleOf } from './offer.ts'
export { regimeLine } from './regime.ts'
export { siteColumns } from './site-columns.ts'
export { type AnyDataTable, type CellValue, type Column, fileOnly, pager, table } from './table.ts'
export { cursorPages, type TableAddress, tableAddress, tableLink, tableParameters } from './table-address.ts'
export { copyable, credits, number, shortRef, time, webLink } from './text.ts'
export { labelOf, memberName } from './words.ts'
