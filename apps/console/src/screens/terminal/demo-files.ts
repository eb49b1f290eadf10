/** The files of the simulated shell. They are made here; none is of this or any other machine. */
export const demoFiles: Readonly<Record<string, string>> = {
  'readme.txt': [
    'This is a simulated shell. It knows a few commands and these files, and asks',
    'the gateway through the same calls as every other screen. It never reaches a',
    'real shell. Type help to see the commands, or try:',
    '',
    '  send +15555550123 hello.txt',
    '',
  ].join('\n'),
  'hello.txt': 'Hello from the demo terminal.\n',
  'letter.txt': [
    'Dear colleague,',
    '',
    'thank you for seeing this patient, who does not exist.',
    '',
    'With kind regards',
    '',
  ].join('\n'),
  'numbers.txt': [
    'How the test line answers numbers starting with +1 555 555:',
    '',
    '  0123  delivered          0103  cut off after page 1',
    '  0100  busy               0104  takes ten seconds',
    '  0101  no answer          0105  busy twice, then delivered',
    '  0102  bad number         0106  unconfirmed',
    '',
  ].join('\n'),
}

export const fileNames = Object.keys(demoFiles)

/** A demo file as it is sent; undefined when there is none of that name. */
export function demoFile(name: string): File | undefined {
  const text = Object.hasOwn(demoFiles, name) ? demoFiles[name] : undefined
  return text === undefined ? undefined : new File([text], name, { type: 'text/plain' })
}
