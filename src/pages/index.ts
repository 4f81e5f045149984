export { assets } from './assets.ts'
export { dashboardPage } from './frame.ts'
export { Html } from './html.ts'
export type { Shown, View } from './page.ts'
export { coverageFilters, coveragePage } from './public/coverage.ts'
export { errorAdvice, errorPage } from './public/error.ts'
export { homePage, type LiveVerdict, liveVerdict } from './public/home.ts'
export { listRequestedPage, requestListPage } from './public/request-a-list.ts'
export {
  deadLinkPage,
  linkSentPage,
  noAccount,
  openLinkPage,
  type SignInView,
  signInPage,
} from './sign-in.ts'
