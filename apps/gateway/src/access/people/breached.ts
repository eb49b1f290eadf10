/**
 * Passwords of twelve characters and more that stand at the top of every published list of breached ones. Shorter ones
 * are refused for their length.
 */
const words = `
123456789012 1234567890123 12345678901234 123456789101112 1234567891011 123123123123 111111111111 000000000000
112233445566 121212121212 987654321012 012345678910 098765432109 147258369147 qwertyuiop12 qwertyuiop123
qwertyuiopasdfghjkl qwerty123456 qwerty1234567 qwertyqwerty qwertyuiop[] 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1qaz2wsx3edc
1qaz2wsx3edc4rfv qazwsxedcrfv zaq12wsxcde3 q1w2e3r4t5y6 asdfghjkl123 asdfasdfasdf zxcvbnmasdfghjkl zxcvbnm12345
abcdefghijkl abcdefghijklm abcd12345678 abcabcabcabc abc123abc123 a1b2c3d4e5f6 aaaaaaaaaaaa password1234 password12345
password123456 password123! password1234! password2024 password2025 password2026 passwordpassword mypassword123
p@ssw0rd1234 p@ssword1234 passw0rd1234 letmein12345 letmeinletmein welcome12345 welcome123456 welcome2025! welcome2026!
administrator administrator1 admin1234567 admin12345678 administrador changeme1234 changemechangeme iloveyou1234
iloveyouiloveyou ilovemyfamily iloveyousomuch sunshine1234 princess1234 football1234 baseball1234 superman1234
monkey123456 dragon123456 master123456 michael12345 jordan123456 trustno1trustno1 manchesterunited liverpoolfc123
unitedstates christopher1 spongebob123 computer1234 internet1234 google123456 facebook1234 samsung12345 winter202526
summer202526 hospital1234 medicine1234 doctor123456 nurse1234567 correcthorsebatterystaple thisismypassword
mynameisjeff qwerty098765 january12345 secret123456 testtesttest test12345678 temporary123 default12345 guest1234567
`

export const breachedPasswords: ReadonlySet<string> = new Set(words.trim().split(/\s+/))
