export { assets } from './assets.ts'
export {
  type AnyDataTable,
  type CellValue,
  isChosen,
  type TableAddress,
  tableAddress,
  tableFile,
  tableParameters,
} from './components/index.ts'
export { dashboardPage, publicPage } from './frame.ts'
export { Html, html } from './html.ts'
export type { Problem, Shown, View } from './page.ts'
export { coverageFilters, coveragePage } from './public/coverage.ts'
export { coverageTables, type ShownCoverage } from './public/coverage-tables.ts'
export { errorAdvice, errorPage } from './public/error.ts'
export { homePage, type LiveVerdict, liveVerdict } from './public/home.ts'
export { publicMarketPage } from './public/market.ts'
export { pricingPage } from './public/pricing.ts'
export { listRequestedPage, requestListPage } from './public/request-a-list.ts'
export { verifyPage } from './public/verify.ts'
export {
  deadLinkPage,
  linkSentPage,
  noAccount,
  openLinkPage,
  type SignInView,
  signInPage,
} from './sign-in.ts'
