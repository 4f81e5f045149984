/** Collects the forms of one page. */
import { clipped } from './clipped.ts'
import type { PageForm } from './page-fields.ts'

const formsMax = 50
const inputsMax = 200

export class FormCollector {
  readonly forms: PageForm[] = []
  private form: PageForm | null = null
  private loose: PageForm | null = null
  private inputs = 0

  /** Returns false if there are too many forms. */
  start(action: string | null): boolean {
    this.form = null
    if (this.forms.length >= formsMax) return false
    this.form = { action, inputs: [] }
    this.forms.push(this.form)
    return true
  }

  end(): void {
    this.form = null
  }

  addInput(input: PageForm['inputs'][number]): void {
    if (input.type.toLowerCase() === 'hidden' || ++this.inputs > inputsMax) return
    this.formOfInput().inputs.push({
      type: clipped(input.type.toLowerCase(), 40),
      name: clipped(input.name, 100),
      autocomplete: clipped(input.autocomplete.toLowerCase(), 100),
    })
  }

  /** Returns the form of an input. Inputs outside of forms, which scripts read, count as one form. */
  private formOfInput(): PageForm {
    if (this.form !== null) return this.form
    if (this.loose === null) {
      this.loose = { action: null, inputs: [] }
      this.forms.push(this.loose)
    }
    return this.loose
  }
}
