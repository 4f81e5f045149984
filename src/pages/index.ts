export { type Asset, assets } from './assets.ts'
export { dashboardPage, publicPage } from './frame.ts'
export { type Content, Html, html } from './html.ts'
export type { Page, Problem, Redirect, Shown, View } from './page.ts'
export {
  deadLinkPage,
  linkSentPage,
  noAccount,
  openLinkPage,
  type SignInView,
  signInPage,
} from './sign-in.ts'
