const typed =
  'input:not([type="checkbox"], [type="radio"], [type="button"]), textarea, select, [contenteditable="true"]'

/** Whether a key pressed here is text for a field, not a shortcut. A ticked box takes no letters. */
export const isTyping = (target: EventTarget | null): boolean => target instanceof Element && target.matches(typed)
