import type { TObject, TProperties } from 'typebox'
import type { FoundPage } from './find-page.ts'
import { previewOperation } from './preview-operation.ts'
import type { SearchDeclaration } from './search-declaration.ts'
import { searchOperation } from './search-operation.ts'

export const declareSearch = <Found extends FoundPage, Sample extends TObject, Members extends TProperties>(
  declaration: SearchDeclaration<Found, Sample, Members>,
) => ({ preview: previewOperation(declaration), search: searchOperation(declaration) })
