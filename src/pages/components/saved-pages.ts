import type { SavedPage } from '../../features/saved-pages/index.ts'
import { type Content, type Html, html } from '../html.ts'
import type { View } from '../page.ts'
import { field, form, hidden, viewOfForm } from './form.ts'

/** Lists saved pages as links, each with a button that deletes it. */
export const savedPages = (saved: readonly SavedPage[]): Content =>
  saved.length > 0 &&
  html`<ul class="found saved">${saved.map(({ id, name, address }) => {
    const action = `/dashboard/saved/${id}/delete`
    const remove = form({ action, submit: 'Delete', tone: 'plain', name: `Delete ${name}`, isRow: true })
    return html`<li><a href="${address}">${name}</a> ${remove}</li>`
  })}</ul>`

/** Draws the form that saves the search of an address. */
export function saveForm(view: View, address: string, name: string): Html {
  const action = '/dashboard/saved'
  return form(
    { action, submit: 'Save this search', tone: 'plain', name: 'Save this search', isRow: true },
    field(viewOfForm(view, action), { name: 'name', label: 'Name', value: name, required: true }),
    hidden('address', address),
  )
}

/** Draws the button that follows a Company, or no longer. */
export const followForm = (address: string, name: string, followed: SavedPage | undefined): Html =>
  followed === undefined
    ? form(
        { action: '/dashboard/saved', submit: 'Follow', tone: 'plain', name: 'Follow', isRow: true },
        hidden('name', name.slice(0, 120)),
        hidden('address', address),
      )
    : form({
        action: `/dashboard/saved/${followed.id}/delete`,
        submit: 'Follow no longer',
        tone: 'plain',
        isRow: true,
      })
