package wholefile

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// mostPiped is how many bytes a text may have that comes through a pipe, which may have no end.
const mostPiped = 256 << 20

// Read returns the bytes of a small file, such as a policy, a key or a plan. A pipe will do; a device, which may have
// no end, is refused. Errors name the path.
func Read(path string) ([]byte, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if st.Mode()&fs.ModeDevice != 0 && path != os.DevNull {
		return nil, fmt.Errorf("%s is a device, expected a file", path)
	}
	if st.Mode().IsRegular() {
		return os.ReadFile(path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostPiped+1))
	if len(data) > mostPiped {
		return nil, fmt.Errorf("%s has more than %d MB, expected a text for people", path, mostPiped>>20)
	}
	return data, err
}
